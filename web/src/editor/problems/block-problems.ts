// The problems of each block, for the marks: with many blocks, only the marks that change are drawn again.
import type { Content } from '@signoff/render'
import type { History } from '../model/history.ts'
import { blockOf } from '../model/tree.ts'
import type { ShownProblem } from './shown-problems.ts'

type ByBlock = ReadonlyMap<string, readonly ShownProblem[]>

const none: readonly ShownProblem[] = []

/** A mark shows nothing of the other blocks of a problem. */
const isSameProblem = (a: ShownProblem, b: ShownProblem | undefined): boolean =>
  a.key === b?.key &&
  a.severity === b.severity &&
  a.affected === b.affected &&
  a.recipients === b.recipients &&
  a.field === b.field

const areSame = (before: readonly ShownProblem[], after: readonly ShownProblem[]): boolean =>
  before.length === after.length && before.every((problem, index) => isSameProblem(problem, after[index]))

export class BlockProblems {
  #byBlock: ByBlock = new Map()
  readonly #listeners = new Set<() => void>()

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** The same list until the problems of the block change. */
  of(blockId: string): readonly ShownProblem[] {
    return this.#byBlock.get(blockId) ?? none
  }

  set(next: ByBlock): void {
    this.#byBlock = new Map(
      [...next].map(([id, problems]) => {
        const before = this.of(id)
        return [id, areSame(before, problems) ? before : problems]
      }),
    )
    for (const listener of this.#listeners) listener()
  }
}

// Problems whose remedy was used, until the next check answers. A remedy that was undone does not count.

export interface Mended {
  /** The key of the problem. */
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
