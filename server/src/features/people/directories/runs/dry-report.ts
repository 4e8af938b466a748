// What a dry run reports: it stores neither people nor their problems.
import type { PeopleCounts } from '../people/apply.ts'
import { maxProblems, type PreviewedPerson } from './queries.ts'

/** Some people of each change are enough to see whether the run is right. */
const maxOfChange = 200

type DryCounts = Pick<PeopleCounts, 'added' | 'changed' | 'reactivated' | 'suspending' | 'joining'>

export class DryReport {
  #counts: DryCounts = { added: 0, changed: 0, reactivated: 0, suspending: 0, joining: 0 }
  readonly #problems: PeopleCounts['problems'][number][] = []
  readonly #preview: PreviewedPerson[] = []
  readonly #listed = new Map<PreviewedPerson['change'], number>()

  get counts(): DryCounts {
    return this.#counts
  }

  get problems(): PeopleCounts['problems'] {
    return this.#problems
  }

  /** The first people of each change. */
  get preview(): readonly PreviewedPerson[] {
    return this.#preview
  }

  addBatch({ problems, preview, ...counts }: PeopleCounts): void {
    this.#counts = {
      added: this.#counts.added + counts.added,
      changed: this.#counts.changed + counts.changed,
      reactivated: this.#counts.reactivated + counts.reactivated,
      suspending: this.#counts.suspending + counts.suspending,
      joining: this.#counts.joining + counts.joining,
    }
    this.#problems.push(...problems.slice(0, maxProblems - this.#problems.length))
    this.addPeople(preview)
  }

  addPeople(people: readonly PreviewedPerson[]): void {
    for (const person of people) {
      const count = (this.#listed.get(person.change) ?? 0) + 1
      this.#listed.set(person.change, count)
      if (count <= maxOfChange) this.#preview.push(person)
    }
  }
}
