// The mark of a block with problems: how many, and on a press what they are and what can be done.
import { useRef, useState } from 'react'
import { useTranslations } from 'use-intl'
import { areaPart } from '#records/area-part.tsx'
import { classes } from '#ui/base/classes.ts'
import { PopoverPanel } from '#ui/overlay/popover-panel.tsx'
import { useEditor } from '../kit/editor-context.ts'
import { useCheck, useProblemsOf } from './check-context.tsx'
import type { ShownProblem } from './shown-problems.ts'

const markVariants: Readonly<Record<ShownProblem['severity'], string>> = {
  error: 'bg-bad text-paper',
  warning: 'bg-warn text-paper',
  note: 'bg-edge text-paper',
}

const worst = (problems: readonly ShownProblem[]): ShownProblem['severity'] =>
  (['error', 'warning'] as const).find(each => problems.some(({ severity }) => severity === each)) ?? 'note'

interface ProblemMarkProps {
  readonly blockId: string
  readonly name: string
  readonly className?: string
  /** In the outline, the arrow keys go from block to block, and Tab leaves it. */
  readonly isTabStop?: boolean
}

export function ProblemMark({ blockId, name, className, isTabStop = true }: ProblemMarkProps) {
  const t = useTranslations('editor.check')
  const { store } = useEditor()
  const problems = useProblemsOf(blockId)
  const [isOpen, setOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  if (problems.length === 0) {
    // A problem that comes back, by undo for example, must not open the panel again.
    if (isOpen) setOpen(false)
    return null
  }
  return (
    <>
      <button
        ref={button}
        type="button"
        aria-label={t('mark', { count: problems.length, name })}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        tabIndex={isTabStop ? 0 : -1}
        data-problem-mark={blockId}
        onClick={() => {
          store.select([blockId])
          setOpen(true)
        }}
        className={classes(
          'grid size-6 place-items-center rounded-full focus-visible:outline-2 focus-visible:outline-offset-1 focus-visible:outline-accent',
          className,
        )}
      >
        <span
          className={classes(
            'grid h-4 min-w-4 place-items-center rounded-full px-1 text-[0.6875rem] leading-none font-semibold',
            'before:content-[attr(data-count)]',
            markVariants[worst(problems)],
          )}
          // As generated text, it is no part of the visible label of the row in the outline (WCAG 2.5.3).
          data-count={problems.length}
        />
      </button>
      {isOpen && (
        <PopoverPanel label={t('ofBlock', { name })} triggerRef={button} onClose={() => setOpen(false)}>
          <ProblemCards problems={problems} blockId={blockId} />
        </PopoverPanel>
      )}
    </>
  )
}

/** Problems with their remedies. A draft without problems needs none of this code. */
const ProblemCards = areaPart(['signatures'], () => import('./problem-list.tsx'))

// The problems of the draft, below the canvas.

export function ProblemsPanel() {
  const t = useTranslations('editor.check')
  const { isKnown, problems } = useCheck()
  if (!isKnown) return null
  const notes = problems.filter(({ severity }) => severity === 'note').length
  return (
    <section aria-label={t('title')} className="mx-auto mt-5 grid w-full max-w-2xl gap-2">
      <h2 tabIndex={-1} data-check-heading="" className="text-[0.8125rem] font-semibold outline-none">
        {t('count', { count: problems.length - notes, notes })}
      </h2>
      {problems.length > 0 && <ProblemCards problems={problems} />}
    </section>
  )
}
