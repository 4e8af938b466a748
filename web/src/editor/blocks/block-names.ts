// The name of a block as people see it: the one they gave it, else its words, else its type.
import type { Token } from '@signoff/render'
import type { SmartField } from '@signoff/sdk'
import { useCallback } from 'react'
import { useLocale, useTranslations } from 'use-intl'
import { queryClient } from '#api/client.ts'
import { smartFieldsQuery } from '#api/smart-fields.ts'
import { type AnyBlock, childrenOf, tokensOf } from '#records/content/block.ts'
import type { Language } from '#texts/languages.ts'
import type { EditorState } from '../model/store.ts'
import { findBlock, parentOf } from '../model/tree.ts'
import { blockLabel, descriptorOf, ownName } from './blocks.ts'
import type { BlockLabel } from './descriptor.ts'
import { useIconName } from './icon-names.ts'
import { wordsName } from './tokens.ts'

export const useLanguage = (): Language => useLocale() as Language

export function useLabel(): (label: BlockLabel) => string {
  const language = useLanguage()
  return useCallback(label => label[language], [language])
}

export function useBlockTypeName(): (block: AnyBlock) => string {
  const language = useLanguage()
  return useCallback(block => blockLabel(block, language), [language])
}

type SchemaPart = 'properties' | 'choices'
type SchemaKey = Parameters<ReturnType<typeof useTranslations<'editor'>>>[0]

/** Properties and choices as people call them: those of several blocks are in the texts of the editor. */
export function useSchemaName(part: SchemaPart): (name: string) => string {
  const t = useTranslations('editor')
  const language = useLanguage()
  return name => {
    const key = `${part}.${name}` as SchemaKey
    return t.has(key) ? t(key as 'properties.width') : (ownName(name, language) ?? name)
  }
}

/** The label of a smart field. Fields that are not loaded yet have none: the outline is drawn anew with them. */
const fieldLabel = (id: string | undefined): string | undefined =>
  queryClient
    .getQueryData<readonly SmartField[]>(smartFieldsQuery.queryKey)
    ?.find(field => field.id === id?.toLowerCase())?.label

const words = (tokens: readonly Token[]): string => wordsName(tokens, fieldLabel)

export function useBlockName(): (block: AnyBlock) => string {
  const typeName = useBlockTypeName()
  const iconName = useIconName()
  return useCallback(
    block => {
      const { nameOf } = descriptorOf(block)
      const fromContent = nameOf
        ? nameOf(block, { iconName, fieldLabel, words })
        : words(tokensOf(block) ?? [])
      return block.displayName?.trim() || fromContent.slice(0, 40) || typeName(block)
    },
    [typeName, iconName],
  )
}

/** The selection as a sentence for screen readers: name, type and position, or the number of blocks. */
export function useSelectedText(): (state: EditorState) => string {
  const t = useTranslations('editor')
  const nameOf = useBlockName()
  const typeName = useBlockTypeName()
  return useCallback(
    ({ tree, selection }) => {
      const [id] = selection
      const match = id === undefined ? undefined : findBlock(tree, id)
      const parent = match && parentOf(match)
      if (selection.length !== 1 || !match || !parent)
        return t('inspector.several', { count: selection.length })
      return t('selected', {
        name: nameOf(match.block),
        type: typeName(match.block),
        position: match.index + 1,
        count: childrenOf(parent).length,
        parent: nameOf(parent),
      })
    },
    [t, nameOf, typeName],
  )
}
