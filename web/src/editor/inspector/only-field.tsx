// The settings of a block that shows one smart field and nothing else.
import type { Token } from '@signoff/render'
import { useTranslations } from 'use-intl'
import { type AnyBlock, idOf, tokensOf } from '#records/content/block.ts'
import { useEditor } from '../editor-context.ts'
import { setProperties } from '../model/operations.ts'
import { FieldSettings } from './field-settings.tsx'
import { InspectorSection } from './section.tsx'

export function onlyField(block: AnyBlock): Token | undefined {
  const [token, ...others] = tokensOf(block) ?? []
  return others.length === 0 && token?.smartFieldUuid ? token : undefined
}

export function OnlyFieldSection({ block }: { readonly block: AnyBlock }) {
  const t = useTranslations('editor.textTools')
  const { store } = useEditor()
  const token = onlyField(block)
  if (!token) return null
  const id = idOf(block)
  const change = (next: Token, step: string) =>
    void store.change(root => setProperties(root, id, { tokens: [next] }), { mergeKey: `${step} ${id}` })
  return (
    <InspectorSection title={t('smartField')}>
      <FieldSettings token={token} onChange={change} />
    </InspectorSection>
  )
}
