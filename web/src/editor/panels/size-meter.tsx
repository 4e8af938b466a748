// The size that mailboxes get, against the limit of Gmail.
import type { Content } from '@signoff/render'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useTranslations } from 'use-intl'
import { api } from '#api/client.ts'
import { idOf } from '#records/content/block.ts'
import { classes } from '#ui/base/classes.ts'
import { useBlockName } from '../blocks/block-names.ts'
import { useEditor } from '../kit/editor-context.ts'
import type { CampaignChoice } from '../rendering/banners.ts'
import { blockMarks } from '../rendering/marks.ts'
import { useSettled, useShownPreview } from '../rendering/preview-state.tsx'
import { useRendering } from '../rendering/use-rendering.ts'
import { emailIdOf, type PersonChoice } from '../rendering/workspace-queries.ts'
import { gmailLimit, largestBlocks, sizeLevel } from './mail-size.ts'

export function SizeMeter() {
  const t = useTranslations('editor.modes')
  const { kind } = useEditor().store
  const { drawing, drawnTree, person, campaign } = useShownPreview()
  const extra = useInstalledExtra(drawnTree, person, campaign, drawing !== undefined)
  if (!drawing) return null
  const length = drawing.length + (extra ?? 0)
  const level = sizeLevel(length)
  const text = t('size', { kind, size: length, limit: gmailLimit })
  return (
    <div className="mx-auto mt-3 flex w-full max-w-2xl flex-wrap items-center gap-x-3 gap-y-1 text-xs">
      <div
        role="meter"
        aria-label={t('sizeLabel')}
        aria-valuemin={0}
        aria-valuemax={gmailLimit}
        aria-valuenow={Math.min(length, gmailLimit)}
        aria-valuetext={text}
        className="h-1.5 w-28 overflow-hidden rounded-full bg-line"
      >
        <div
          className={classes(
            'h-full rounded-full',
            { fine: 'bg-good', warn: 'bg-warn', bad: 'bg-bad' }[level],
          )}
          style={{ width: `${Math.min(100, (length / gmailLimit) * 100)}%` }}
        />
      </div>
      <p className={{ fine: 'text-muted', warn: 'text-warn', bad: 'font-medium text-bad' }[level]}>
        {text}
        {level !== 'fine' && ` · ${t(level === 'bad' ? 'tooLarge' : 'nearLimit')}`}
      </p>
      {level !== 'fine' && <LargestParts />}
    </div>
  )
}

// For a signature that is too large: the blocks that take the most, with the way to them.

const shownParts = 3

function LargestParts() {
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

// What mailboxes get beside the HTML of the preview: tracked links and the pixel. The service measures it after a pause
// in the changes; the HTML itself is measured in the browser on every change.

const pause = 1_000

/** A short name for each content: TanStack Query would write the whole content as text at every drawing. */
const keys = new WeakMap<Content, number>()
let lastKey = 0
function keyOf(content: Content): number {
  const stored = keys.get(content)
  if (stored !== undefined) return stored
  lastKey += 1
  keys.set(content, lastKey)
  return lastKey
}

/**
 * In characters: addresses are ASCII, so the bytes of the answer are as many. Undefined until it is known, and for content that the service would refuse. `running`: campaigns for all
 * signatures.
 */
function useInstalledExtra(
  tree: Content,
  choice: PersonChoice,
  campaign: CampaignChoice,
  isNeeded: boolean,
): number | undefined {
  const content = useSettled(tree, pause)
  const emailId = emailIdOf(choice)
  const { data } = useQuery({
    queryKey: ['content', 'size', keyOf(content), emailId, campaign],
    queryFn: () =>
      api.content.preview({
        content: content as Parameters<typeof api.content.preview>[0]['content'],
        ...(emailId !== null && { email_id: emailId }),
        ...(campaign !== 'running' && { campaign }),
      }),
    select: ({ installed_bytes: installed, bytes }) => installed - bytes,
    placeholderData: keepPreviousData,
    enabled: isNeeded,
    // Every change has a key of its own.
    gcTime: 0,
    staleTime: 60_000,
  })
  return data
}
