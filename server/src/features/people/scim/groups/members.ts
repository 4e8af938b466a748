// Changes of members: sets of ids, never a list that is read and written back.
import { isObject } from '#kernel/base/json-values.ts'
import { valueIn } from '../attributes.ts'
import { ScimError } from '../errors.ts'
import type { ScimFilter } from '../filters/parse.ts'
import type { ScimOperation } from '../patch.ts'

/** Members that one request can name. */
const mostMembers = 10_000

const idOf = (entry: unknown): string => {
  const value = isObject(entry) ? valueIn(entry, 'value') : entry
  if (typeof value !== 'string')
    throw new ScimError('invalidValue', 'Each of the members must be an object with a value.')
  return value.trim().toLowerCase()
}

/** `members[value eq "…"]` */
function chosenIds(filter: ScimFilter): string[] {
  if (filter.op === 'or') return filter.filters.flatMap(chosenIds)
  if (filter.op === 'eq' && filter.name.toLowerCase() === 'value') return [idOf(filter.value)]
  throw new ScimError('invalidFilter', 'Members are chosen by value eq.')
}

/** Changes of the members of a group by a request, by the ids of users and groups. */
export class ScimMemberChanges {
  /** `add` holds all members; the others are removed. */
  isComplete = false
  readonly add = new Set<string>()
  readonly remove = new Set<string>()
  #named = 0

  #ids(sent: unknown, filter: ScimFilter | null): string[] {
    const entries = Array.isArray(sent) ? sent : sent === undefined || sent === null ? [] : [sent]
    const ids = filter ? chosenIds(filter) : entries.map(idOf)
    this.#named += ids.length
    if (this.#named > mostMembers)
      throw new ScimError('tooMany', `A request can name ${mostMembers} members.`)
    return ids
  }

  replace(sent: unknown): void {
    const ids = this.#ids(sent, null)
    this.isComplete = true
    this.add.clear()
    this.remove.clear()
    for (const id of ids) this.add.add(id)
  }

  apply({ op, value }: Pick<ScimOperation, 'op' | 'value'>, filter: ScimFilter | null): void {
    const isWhole = op === 'replace' || (op === 'remove' && (value === undefined || value === null))
    if (!filter && isWhole) {
      this.replace(op === 'replace' ? value : [])
      return
    }
    const ids = this.#ids(value, filter)
    const [from, to] = op === 'remove' ? [this.add, this.remove] : [this.remove, this.add]
    for (const id of ids) {
      from.delete(id)
      if (op !== 'remove' || !this.isComplete) to.add(id)
    }
  }

  get isEmpty(): boolean {
    return !this.isComplete && this.add.size + this.remove.size === 0
  }
}
