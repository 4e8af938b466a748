// Says what came of copying or pasting, by keys or by a menu.
import { limits, type Problem } from '@signoff/render'
import { useCallback } from 'react'
import { useFormatter, useTranslations } from 'use-intl'
import type { ContentKind } from '#records/content/block.ts'
import { toastError, toastNote } from '#ui/feedback/toast.tsx'
import { useAnnounce } from '../kit/announcements.tsx'
import type { LeftOut, PartKind } from '../model/copied-blocks.ts'
import { reachedLimit } from '../model/rules.ts'
import { useKeyNames } from './key-map.ts'
import type { ClipboardResult } from './use-clipboard.ts'

const partKinds: readonly PartKind[] = ['asset', 'smart_field', 'campaign']

/** “1 picture and 2 fields” */
function usePartsText(): (parts: LeftOut) => string {
  const t = useTranslations('editor.actions.parts')
  const format = useFormatter()
  return useCallback(
    parts =>
      format.list(
        partKinds.flatMap(kind => {
          const count = parts[kind]
          return count === undefined ? [] : [t(kind, { count })]
        }),
      ),
    [t, format],
  )
}

export function useClipboardText(): (result: ClipboardResult) => void {
  const t = useTranslations('editor.actions')
  const palette = useTranslations('editor.palette')
  const announce = useAnnounce()
  const keyNames = useKeyNames()
  const partsText = usePartsText()
  return useCallback(
    ({ what, leftOut }) => {
      switch (what) {
        case 'refused':
          return toastError(palette('refused'))
        case 'broken':
          return toastError(t('brokenBlocks'))
        case 'foreign':
          return toastError(t('foreignBlocks'))
        case 'nothing':
          return toastNote(t('nothingToPaste'))
        case 'unreadable':
          return toastNote(t('unreadable', { keys: keyNames('Mod+V').join(' ') }))
        default:
          if (leftOut) return toastNote(t('pastedWithout', { parts: partsText(leftOut) }))
          return announce(t(`done.${what}`))
      }
    },
    [t, palette, announce, keyNames, partsText],
  )
}

// Why a change was refused: the content is full, or the blocks do not go there.

/** `otherwise`: where no limit is the reason. */
export function useRefusalText(
  kind: ContentKind,
): (problems: readonly Problem[], otherwise: string) => string {
  const t = useTranslations('editor.limits')
  return useCallback(
    (problems, otherwise) => {
      const limit = reachedLimit(problems)
      return limit ? t(limit, { kind, blocks: limits.blocks, levels: limits.depth }) : otherwise
    },
    [t, kind],
  )
}
