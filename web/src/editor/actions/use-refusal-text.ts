// Why a change was refused: the content is full, or the blocks do not go there.
import { limits, type Problem } from '@signoff/render'
import { useCallback } from 'react'
import { useTranslations } from 'use-intl'
import type { ContentKind } from '#records/content/block.ts'
import { reachedLimit } from '../model/rules.ts'

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
