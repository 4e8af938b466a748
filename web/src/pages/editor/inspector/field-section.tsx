// The part of the inspector for smart fields.
import type { Token } from '@signoff/render'
import { useTranslations } from 'use-intl'
import { useEditor } from '../editor-context.ts'
import { type AnyBlock, idOf, tokensOf } from '../model/block.ts'
import { setProperties } from '../model/operations.ts'
import { type TextSession, useTextSnapshot } from '../text/text-session.ts'
import { selectedField } from '../text/token-commands.ts'
import { stepMeta } from '../text/undo-steps.ts'
import { FieldSettings } from './field-settings.tsx'
import { InspectorSection } from './section.tsx'

/** The field of a block that shows nothing else. */
export function onlyField(block: AnyBlock): Token | undefined {
  const [token, ...others] = tokensOf(block) ?? []
  return others.length === 0 && token?.smartFieldUuid ? token : undefined
}

interface FieldSectionProps {
  readonly block: AnyBlock
  /** While the text of the block is edited. */
  readonly session: TextSession | undefined
}

export function FieldSection({ block, session }: FieldSectionProps) {
  if (session) return <SelectedFieldSection session={session} />
  const token = onlyField(block)
  return token ? <OnlyFieldSection id={idOf(block)} token={token} /> : null
}

/** The smart field that is selected in the text. Letters and movements of the cursor concern only this part. */
function SelectedFieldSection({ session }: { readonly session: TextSession }) {
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

function OnlyFieldSection({ id, token }: { readonly id: string; readonly token: Token }) {
  const t = useTranslations('editor.textTools')
  const { store } = useEditor()
  const change = (next: Token, step: string) =>
    void store.change(root => setProperties(root, id, { tokens: [next] }), { mergeKey: `${step} ${id}` })
  return (
    <InspectorSection title={t('smartField')}>
      <FieldSettings token={token} onChange={change} />
    </InspectorSection>
  )
}
