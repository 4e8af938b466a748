import type { Token } from '@signoff/render'
import { useTranslations } from 'use-intl'
import { FieldSettings, InspectorSection } from '../inputs/field-settings.tsx'
import { TextMenu } from './text-menu.tsx'
import { type TextSession, useTextSnapshot } from './text-session.ts'
import { TextToolbar } from './text-toolbar.tsx'
import { selectedField } from './token-commands.ts'
import { stepMeta } from './undo-steps.ts'

export { TextEditing } from './text-editing.tsx'

/** The tools around the text that is edited. They come before the text on the page: Shift+Tab leads to the toolbar. */
export const TextTools = ({ session }: { readonly session: TextSession }) => (
  <>
    <TextToolbar session={session} />
    <TextMenu session={session} />
  </>
)

/** The smart field that is selected in the text. Letters and movements of the cursor concern only this part. */
export function FieldSection({ session }: { readonly session: TextSession }) {
  const t = useTranslations('editor.textTools')
  const snapshot = useTextSnapshot(session)
  const field = snapshot && selectedField(snapshot.state)
  if (!field) return null
  const { position, token } = field
  const { view } = session
  const change = (next: Token, step: string) =>
    view.dispatch(
      view.state.tr.setNodeAttribute(position, 'token', next).setMeta(stepMeta, `${step} ${position}`),
    )
  return (
    <InspectorSection title={t('smartField')}>
      <FieldSettings token={token} onChange={change} />
    </InspectorSection>
  )
}
