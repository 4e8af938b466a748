// What a run has read so far. A page adds to it; everything else only reads it, after the last page.
import type { DirectoryPage, RefusedRecord } from '../directory.ts'
import { cleanId } from '../people/clean.ts'
import type { DryReport } from './dry-report.ts'

/** Refused records whose texts are kept until the run ends: a file of broken lines must not fill the memory. */
const mostTexts = 1_000

/** The people whom the pages have named, and the records that could not be used. */
export class NamedPeople {
  readonly #seen = new Set<string>()
  readonly #gone = new Set<string>()
  readonly #refused: RefusedRecord[] = []
  readonly #lines = new Map<string, number>()

  get seen(): ReadonlySet<string> {
    return this.#seen
  }

  /** People whom a delta calls deleted. */
  get gone(): ReadonlySet<string> {
    return this.#gone
  }

  get refused(): readonly RefusedRecord[] {
    return this.#refused
  }

  /** The lines of a file, by the ids of their people. */
  get lines(): ReadonlyMap<string, number> {
    return this.#lines
  }

  addPage({ people = [], gone = [], refused = [] }: DirectoryPage): void {
    for (const id of gone.map(cleanId)) {
      this.#seen.delete(id)
      this.#gone.add(id)
    }
    for (const record of refused)
      this.#refused.push(this.#refused.length < mostTexts ? record : { ...record, texts: [] })
    for (const { externalId, line } of people) {
      const id = cleanId(externalId)
      this.#gone.delete(id)
      this.#seen.add(id)
      if (line !== undefined) this.#lines.set(id, line)
    }
  }
}

/** The groups that the pages have named, and the members that a full run has named on several pages. */
export class NamedGroups {
  readonly #seen = new Set<string>()
  readonly #members = new Map<string, Set<string>>()

  get seen(): ReadonlySet<string> {
    return this.#seen
  }

  /** Written after the last page: until then more members can come. */
  get members(): ReadonlyMap<string, ReadonlySet<string>> {
    return this.#members
  }

  addPage({ groups = [], goneGroups = [], memberships = [], isFull }: DirectoryPage): void {
    for (const { externalId } of groups) this.#seen.add(cleanId(externalId))
    for (const id of goneGroups) this.#seen.delete(cleanId(id))
    for (const { group, add, remove, isComplete } of memberships) {
      if (!isFull || isComplete) continue
      const members = this.#members.get(group) ?? new Set()
      for (const id of remove) members.delete(id)
      for (const id of add) members.add(id)
      this.#members.set(group, members)
    }
  }
}

/** Everything that a run knows after its last page. */
export interface ReadDirectory {
  readonly isFull: boolean
  readonly cursor: string | null
  readonly domains: readonly string[] | null
  readonly people: NamedPeople
  readonly groups: NamedGroups
  /** Empty unless the run is dry. */
  readonly report: DryReport
}
