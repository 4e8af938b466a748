// Problems whose remedy was used, until the next check answers. A remedy that was undone does not count.
import type { Content } from '@signoff/render'
import type { History } from '../model/history.ts'
import { blockOf } from '../model/tree.ts'
import type { ShownProblem } from './shown-problems.ts'

export interface Mended {
  /** Of the problem. */
  readonly key: string
  readonly ids: readonly string[]
  /** With the remedy. */
  readonly tree: Content
}

/** The blocks of the problem that the remedy has changed; all of them when it has changed something around them. */
export function mendedBy({ key, ids }: ShownProblem, before: Content, after: Content): Mended {
  const changed = ids.filter(id => blockOf(before, id) !== blockOf(after, id))
  return { key, ids: changed.length > 0 ? changed : ids, tree: after }
}

const isApplied = ({ tree }: Mended, { past, present }: History): boolean =>
  present === tree || past.some(step => step.tree === tree)

/** The problem with the blocks that still have it; undefined when it waits for the next check. */
export function openProblem(
  problem: ShownProblem,
  mended: readonly Mended[],
  history: History,
): ShownProblem | undefined {
  const applied = mended.filter(each => each.key === problem.key && isApplied(each, history))
  if (applied.length === 0) return problem
  const ids = problem.ids.filter(id => !applied.some(each => each.ids.includes(id)))
  return ids.length === 0 ? undefined : { ...problem, ids }
}
