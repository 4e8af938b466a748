// The name of a block as people see it: the one they gave it, else its words, else its type.
import type { IconName } from '@signoff/render'
import { useCallback } from 'react'
import { useTranslations } from 'use-intl'
import { useIconName } from './inspector/icon-names.ts'
import { type AnyBlock, childrenOf, tokensOf } from './model/block.ts'
import type { EditorState } from './model/store.ts'
import { findBlock, parentOf } from './model/tree.ts'

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

const pictureName = (block: AnyBlock, iconName: (name: IconName) => string): string => {
  if (block.type === 'socialListItem' || block.type === 'icon') return iconName(block.name)
  return block.type === 'image' ? (block.alt?.trim() ?? '') : ''
}

export function useBlockName(): (block: AnyBlock) => string {
  const typeName = useBlockTypeName()
  const iconName = useIconName()
  return useCallback(
    block => {
      const words = (tokensOf(block) ?? [])
        .map(({ value = '' }) => value)
        .join('')
        .trim()
      return (
        block.displayName?.trim() || (words || pictureName(block, iconName)).slice(0, 40) || typeName(block)
      )
    },
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
