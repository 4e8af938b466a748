// For a signature that is too large: the blocks that take the most, with the way to them.
import { useMemo } from 'react'
import { useTranslations } from 'use-intl'
import { idOf } from '#records/content/block.ts'
import { useBlockName } from '../block-names.ts'
import { blockMarks } from '../canvas/marks.ts'
import { useEditor } from '../editor-context.ts'
import { useRendering } from '../surroundings/use-rendering.ts'
import { largestBlocks } from './block-sizes.ts'
import { useShownPreview } from './preview-state.ts'

const shownParts = 3

export function LargestParts() {
  const t = useTranslations('editor.modes')
  const { store } = useEditor()
  const nameOf = useBlockName()
  const { person, campaign, signatureId, drawnTree: tree } = useShownPreview()
  const drawing = useRendering(tree, { person, campaign, signatureId, marks: blockMarks })
  const largest = useMemo(
    () => (drawing ? largestBlocks(tree, drawing.html, shownParts) : []),
    [tree, drawing],
  )
  if (largest.length === 0) return null
  return (
    <div className="flex w-full flex-wrap items-center gap-1.5 text-muted">
      <span>{t('largest')}</span>
      {largest.map(({ block, length }) => (
        <button
          key={idOf(block)}
          type="button"
          onClick={() => store.select([idOf(block)])}
          className="inline-flex min-h-6 items-center rounded-md bg-card px-2 font-medium text-ink hover:underline focus-visible:outline-2 focus-visible:outline-accent"
        >
          {t('sizeOf', { name: nameOf(block), size: length })}
        </button>
      ))}
    </div>
  )
}
