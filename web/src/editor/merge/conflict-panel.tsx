// The blocks that another person has changed too, below the header. Typing goes on meanwhile.
import { useEffect } from 'react'
import { useTranslations } from 'use-intl'
import { Button } from '#ui/base/button.tsx'
import { Icon } from '#ui/base/icon.tsx'
import { LoadError } from '#ui/layout/page.tsx'
import { useAnnounce } from '../announcements.tsx'
import { useEditorState } from '../editor-context.ts'
import type { RenderingOptions } from '../surroundings/use-rendering.ts'
import { ConflictItem } from './conflict-item.tsx'
import { type MergeSide, wholeKey } from './merge.ts'
import type { Merging } from './use-merging.ts'

interface ConflictPanelProps {
  readonly merging: Merging
  /** Who has saved, and when, as a sentence begins with it. */
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
