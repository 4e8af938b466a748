// The name of a block as people see it: the one they gave it, else its words, else its type.
import { iconLabel } from '@signoff/render'
import { useCallback } from 'react'
import { useTranslations } from 'use-intl'
import { type AnyBlock, tokensOf } from './model/block.ts'

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

const pictureName = (block: AnyBlock): string => {
  if (block.type === 'socialListItem') return iconLabel(block.name)
  return block.type === 'image' ? (block.alt?.trim() ?? '') : ''
}

export function useBlockName(): (block: AnyBlock) => string {
  const typeName = useBlockTypeName()
  return useCallback(
    block => {
      const words = (tokensOf(block) ?? [])
        .map(({ value = '' }) => value)
        .join('')
        .trim()
      return block.displayName?.trim() || (words || pictureName(block)).slice(0, 40) || typeName(block)
    },
    [typeName],
  )
}
