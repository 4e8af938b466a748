// The problems of each block, for the marks: with many blocks, only the marks that change are drawn again.
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
