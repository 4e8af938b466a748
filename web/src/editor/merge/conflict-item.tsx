// One block that both people have changed: how it looks on each side, and which one stays.
import type { Content } from '@signoff/render'
import { useTranslations } from 'use-intl'
import { Button } from '#ui/base/button.tsx'
import { classes } from '#ui/base/classes.ts'
import { Skeleton } from '#ui/layout/page.tsx'
import { SignatureFrame } from '#ui/picture/signature-frame.tsx'
import { useBlockName } from '../block-names.ts'
import { type RenderingOptions, useRendering } from '../surroundings/use-rendering.ts'
import { differingProperties, onlyBlock, usePropertyNames } from './differences.ts'
import type { MergeConflict, MergeSide } from './merge.ts'

interface ConflictItemProps {
  readonly conflict: MergeConflict
  readonly trees: Readonly<Record<MergeSide, Content>>
  readonly view: RenderingOptions
  readonly chosen: MergeSide | undefined
  readonly onChoose: (side: MergeSide) => void
}

const sides = ['mine', 'theirs'] as const

export function ConflictItem({ conflict, trees, view, chosen, onChoose }: ConflictItemProps) {
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
  const shown = onlyBlock(tree, blockKey)
  return shown ? <BlockPicture shown={shown} {...rest} /> : <p>{t('deleted')}</p>
}

function BlockPicture({
  shown,
  view,
  title,
}: Pick<SideOfBlockProps, 'view' | 'title'> & { readonly shown: Content }) {
  const drawing = useRendering(shown, view)
  if (!drawing) return <Skeleton lines={2} />
  return <SignatureFrame html={drawing.html} title={title} width={380} maxHeight={200} />
}
