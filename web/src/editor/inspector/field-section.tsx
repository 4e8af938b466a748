import type { Token } from '@signoff/render'
import { useTranslations } from 'use-intl'
import { type TextSession, useTextSnapshot } from '../text/text-session.ts'
import { selectedField } from '../text/token-commands.ts'
import { stepMeta } from '../text/undo-steps.ts'
import { FieldSettings } from './field-settings.tsx'
import { InspectorSection } from './section.tsx'

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
