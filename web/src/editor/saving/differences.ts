// What a person is shown of a block that two people have changed: the block alone, and the names of what differs.
import type { Content } from '@signoff/render'
import { useLocale, useTranslations } from 'use-intl'
import { type AnyBlock, withChildren } from '#records/content/block.ts'
import { canonical, rootKey } from '#records/content/block-index.ts'
import type { Language } from '#texts/languages.ts'
import { ownName } from '../blocks/blocks.ts'
import { findBlock } from '../model/tree.ts'
import { wholeKey } from './merge.ts'

/** The block inside its parents, which decide about its font and its place, without its neighbours. */
export function onlyBlock(tree: Content, key: string): Content | undefined {
  if (key === rootKey || key === wholeKey) return tree
  const match = findBlock(tree, key)
  if (!match) return undefined
  return match.ancestors.reduceRight<AnyBlock>(
    (inner, parent) => withChildren(parent, [inner]),
    match.block,
  ) as Content
}

/** The properties of a block in one list, those of its style included. Two roots can have ids of their own. */
function flatProperties({ children: _, id: __, blockStyle, ...own }: Record<string, unknown>) {
  return { ...own, ...(blockStyle as object | undefined) } as Readonly<Record<string, unknown>>
}

export function differingProperties(first: AnyBlock, second: AnyBlock): readonly string[] {
  const [mine, theirs] = [first, second].map(block => flatProperties({ ...block }))
  const keys = new Set([...Object.keys(mine ?? {}), ...Object.keys(theirs ?? {})])
  return [...keys].filter(key => canonical(mine?.[key]) !== canonical(theirs?.[key]))
}

const inspectorNames: Readonly<Record<string, string>> = {
  tokens: 'text',
  visible: 'visible',
  displayName: 'displayName',
  assetUuid: 'source',
  smartFieldUuid: 'source',
  src: 'source',
  crop: 'source',
  campaignUuid: 'campaign',
}

/** The key of the text that names a property of a block. */
export const propertyText = (property: string): string =>
  property in inspectorNames ? `inspector.${inspectorNames[property]}` : `properties.${property}`

/** As the inspector names them. */
export function usePropertyNames(): (properties: readonly string[]) => string {
  const t = useTranslations('editor')
  const language = useLocale() as Language
  const nameOf = (property: string): string => {
    const key = propertyText(property) as Parameters<typeof t.has>[0]
    return t.has(key) ? t(key as 'inspector.text') : (ownName(property, language) ?? t('inspector.more'))
  }
  return properties => [...new Set(properties.map(nameOf))].join(', ')
}
