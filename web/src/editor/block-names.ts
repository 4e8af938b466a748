// The name of a block as people see it: the one they gave it, else its words, else its type.
import type { IconName } from '@signoff/render'
import type { SmartField } from '@signoff/sdk'
import { useCallback } from 'react'
import { useTranslations } from 'use-intl'
import { queryClient } from '#api/client.ts'
import { smartFieldsQuery } from '#api/smart-fields.ts'
import { type AnyBlock, childrenOf, tokensOf } from '#records/content/block.ts'
import { useIconName } from './inspector/icon-names.ts'
import type { EditorState } from './model/store.ts'
import { findBlock, parentOf } from './model/tree.ts'
import { wordsName } from './model/words-name.ts'

export function useBlockTypeName(): (block: AnyBlock) => string {
  const t = useTranslations('editor.blocks')
  return useCallback(
    block => {
      if (block.type !== 'stack') return t(block.type)
      return t(block.direction === 'row' ? 'row' : 'column')
    },
    [t],
  )
}

/** The label of a smart field. Fields that are not loaded yet have none: the outline is drawn anew with them. */
const fieldLabel = (id: string | undefined): string | undefined =>
  queryClient
    .getQueryData<readonly SmartField[]>(smartFieldsQuery.queryKey)
    ?.find(field => field.id === id?.toLowerCase())?.label

const wordsOf = (block: AnyBlock): string => wordsName(tokensOf(block) ?? [], fieldLabel)

/** What a block shows. A line of a list is called like its words: all of them would have the same name otherwise. */
function shownName(block: AnyBlock, iconName: (name: IconName) => string): string {
  switch (block.type) {
    case 'socialListItem':
    case 'icon':
      return iconName(block.name as IconName)
    case 'image':
      return block.alt?.trim() || (fieldLabel(block.smartFieldUuid) ?? '')
    case 'listItem': {
      const text = block.children.find(({ type }) => type === 'text')
      return text ? text.displayName?.trim() || wordsOf(text) : ''
    }
    default:
      return wordsOf(block)
  }
}

export function useBlockName(): (block: AnyBlock) => string {
  const typeName = useBlockTypeName()
  const iconName = useIconName()
  return useCallback(
    block => block.displayName?.trim() || shownName(block, iconName).slice(0, 40) || typeName(block),
    [typeName, iconName],
  )
}

/** What is selected, as a sentence for screen readers: name, type and position, or the number of blocks. */
export function useSelectedText(): (state: EditorState) => string {
  const t = useTranslations('editor')
  const nameOf = useBlockName()
  const typeName = useBlockTypeName()
  return useCallback(
    ({ tree, selection }) => {
      const [id] = selection
      const found = id === undefined ? undefined : findBlock(tree, id)
      const parent = found && parentOf(found)
      if (selection.length !== 1 || !found || !parent)
        return t('inspector.several', { count: selection.length })
      return t('selected', {
        name: nameOf(found.block),
        type: typeName(found.block),
        position: found.index + 1,
        count: childrenOf(parent).length,
        parent: nameOf(parent),
      })
    },
    [t, nameOf, typeName],
  )
}
