// The blocks that another person has changed too, below the header. Typing goes on meanwhile.
import type { Content } from '@signoff/render'
import { useEffect } from 'react'
import { useTranslations } from 'use-intl'
import { Button } from '#ui/base/button.tsx'
import { classes } from '#ui/base/classes.ts'
import { Icon } from '#ui/base/icon.tsx'
import { LoadError, Skeleton } from '#ui/layout/page.tsx'
import { SignatureFrame } from '#ui/picture/signature-frame.tsx'
import { useBlockName } from '../blocks/block-names.ts'
import { useAnnounce } from '../kit/announcements.tsx'
import { useEditorState } from '../kit/editor-context.ts'
import { type RenderingOptions, useRendering } from '../rendering/use-rendering.ts'
import { differingProperties, onlyBlock, usePropertyNames } from './differences.ts'
import { type MergeConflict, type MergeSide, wholeKey } from './merge.ts'
import type { Merging } from './use-merging.ts'

interface ConflictPanelProps {
  readonly merging: Merging
  /** The person who has saved, and the time, as a sentence begins with it. */
  readonly who: string
  readonly view: RenderingOptions
}

export function ConflictPanel({ merging, who, view }: ConflictPanelProps) {
  const t = useTranslations('editor.conflict')
  const announce = useAnnounce()
  const { tree } = useEditorState()
  const { merge, theirs, choices, choose, error, retry } = merging
  const conflicts = merge?.conflicts ?? []
  const open = conflicts.filter(({ key }) => !choices.has(key)).length
  const sentence = t('ask', { who, count: conflicts.length })
  useEffect(() => {
    if (open > 0) announce(sentence)
  }, [open, sentence])
  if (error) return <LoadError error={error} onRetry={retry} />
  if (!merge || !theirs || open === 0) return null
  const listed = conflicts.map(({ key }) => key)
  const both: readonly MergeSide[] = ['mine', 'theirs']
  return (
    <section
      aria-label={t('title')}
      className="max-h-[55dvh] shrink-0 overflow-y-auto border-b border-line bg-warn-soft px-4 py-3 text-[0.8125rem]"
    >
      <div className="mx-auto grid max-w-4xl gap-3">
        <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
          <h2 className="flex min-w-0 flex-1 basis-72 items-start gap-2 font-medium text-warn">
            <Icon name="triangle-alert" className="mt-0.5" />
            {sentence}
          </h2>
          {conflicts.length > 1 &&
            both.map(side => (
              <Button key={side} isSmall onPress={() => choose(listed, side)}>
                {t(`takeAll.${side}`)}
              </Button>
            ))}
        </div>
        <ul className="grid gap-3">
          {conflicts.map(conflict => (
            <ConflictItem
              key={conflict.key}
              conflict={conflict}
              trees={{ mine: tree, theirs }}
              view={view}
              chosen={choices.get(conflict.key)}
              onChoose={side => choose([conflict.key], side)}
            />
          ))}
        </ul>
        {conflicts[0]?.kind !== 'whole' && (
          <p className="flex flex-wrap items-center gap-2 text-warn">
            {t('orWhole')}
            {both.map(side => (
              <Button key={side} isSmall variant="quiet" onPress={() => choose([wholeKey], side)}>
                {t(`takeWhole.${side}`)}
              </Button>
            ))}
          </p>
        )}
      </div>
    </section>
  )
}

// One block that both people have changed: how it looks on each side, and which one stays.

interface ConflictItemProps {
  readonly conflict: MergeConflict
  readonly trees: Readonly<Record<MergeSide, Content>>
  readonly view: RenderingOptions
  readonly chosen: MergeSide | undefined
  readonly onChoose: (side: MergeSide) => void
}

const sides = ['mine', 'theirs'] as const

function ConflictItem({ conflict, trees, view, chosen, onChoose }: ConflictItemProps) {
  const t = useTranslations('editor.conflict')
  const blockName = useBlockName()
  const propertyNames = usePropertyNames()
  const { key, kind, mine, theirs } = conflict
  const block = mine ?? theirs
  const name = kind === 'whole' || !block ? t('whole') : blockName(block)
  return (
    <li className="grid gap-2.5 rounded-xl border border-line bg-card p-3">
      <div>
        <h3 className="truncate font-medium">{name}</h3>
        <p className="text-muted">
          {kind === 'changed' && mine && theirs
            ? t('differs', { properties: propertyNames(differingProperties(mine, theirs)) })
            : t(`kinds.${kind}`)}
        </p>
      </div>
      <div className="grid grid-cols-1 gap-3 sm:grid-cols-2">
        {sides.map(side => (
          <figure
            key={side}
            className={classes(
              'flex min-w-0 flex-col rounded-lg border',
              chosen === side ? 'border-accent' : 'border-line',
            )}
          >
            <figcaption className="flex items-center justify-between gap-2 px-3 py-1.5">
              <span className="font-medium">{t(side)}</span>
              <Button
                isSmall
                variant={chosen === side ? 'primary' : 'secondary'}
                aria-pressed={chosen === side}
                aria-label={t('takeNamed', { side: t(`take.${side}`), name })}
                onPress={() => onChoose(side)}
              >
                {t(`take.${side}`)}
              </Button>
            </figcaption>
            <div className="flex-1 rounded-b-lg bg-white p-3 text-black">
              <SideOfBlock tree={trees[side]} blockKey={key} view={view} title={`${t(side)}: ${name}`} />
            </div>
          </figure>
        ))}
      </div>
    </li>
  )
}

interface SideOfBlockProps {
  readonly tree: Content
  readonly blockKey: string
  readonly view: RenderingOptions
  readonly title: string
}

function SideOfBlock({ tree, blockKey, ...rest }: SideOfBlockProps) {
  const t = useTranslations('editor.conflict')
  const block = onlyBlock(tree, blockKey)
  return block ? <BlockPicture tree={block} {...rest} /> : <p>{t('deleted')}</p>
}

function BlockPicture({ tree, view, title }: Pick<SideOfBlockProps, 'tree' | 'view' | 'title'>) {
  const drawing = useRendering(tree, view)
  if (!drawing) return <Skeleton lines={2} />
  return <SignatureFrame html={drawing.html} title={title} width={380} maxHeight={200} />
}
