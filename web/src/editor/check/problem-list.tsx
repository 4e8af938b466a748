import { classes } from '#ui/base/classes.ts'
import { ProblemCard } from './problem-card.tsx'
import type { ShownProblem } from './shown-problems.ts'

interface ProblemListProps {
  readonly problems: readonly ShownProblem[]
  /** The block whose mark was opened; undefined: the list below the canvas. */
  readonly blockId?: string
}

export default function ProblemList({ problems, blockId }: ProblemListProps) {
  const isOpened = blockId !== undefined
  return (
    <ul className={isOpened ? 'grid w-80 max-w-full gap-3 p-3' : 'grid gap-2'}>
      {problems.map(problem => (
        <li key={problem.key} className={classes(!isOpened && 'rounded-xl border border-line bg-card p-3')}>
          <ProblemCard problem={problem} {...(isOpened && { blockId })} />
        </li>
      ))}
    </ul>
  )
}
