// Makes what a source says fit to be stored: texts that PostgreSQL accepts, addresses that are valid, bounded sizes.
import { hash } from 'node:crypto'
import { isEmailAddress } from '#kernel/api/validation.ts'
import { comparisonKey } from '#kernel/db/text.ts'
import type { DirectoryPerson } from '../directory.ts'

/** A problem of a person, for the list of a run. */
export interface PersonProblem {
  /** `no_seat`: the person is no teammate, or an inactive one, because the workspace has a seat limit. */
  readonly kind: 'conflict' | 'unusable' | 'no_seat'
  /** `address`, `aliases`, or the path of the attribute. */
  readonly field: string
  readonly message: string
}

export interface CleanPerson {
  readonly externalId: string
  /** Empty when the source names no valid address. */
  readonly address: string
  readonly aliases: readonly string[]
  readonly isActive: boolean
  readonly attributes: Readonly<Record<string, string>>
  readonly photoTag: string | null
  readonly orgUnitId: string | null
  readonly fingerprint: Buffer
  readonly problems: readonly PersonProblem[]
}

const longestId = 500
const longestPath = 200
const longestValue = 5_000
const maxAttributes = 300
const maxAliases = 100

/** PostgreSQL stores neither NUL nor half a surrogate pair. */
const storable = (text: string): string => text.toWellFormed().replaceAll('\0', '').trim()

/** An id that is too long keeps its beginning and gets its hash, so that it stays unique. */
export const cleanId = (id: string): string => {
  const clean = storable(id)
  return clean.length <= longestId ? clean : `${clean.slice(0, 400)}#${hash('sha256', clean)}`
}

const unusable = (field: string, message: string): PersonProblem => ({ kind: 'unusable', field, message })

function cleanAttributes(
  sent: Readonly<Record<string, string>>,
  problems: PersonProblem[],
): Record<string, string> {
  const clean: Record<string, string> = {}
  const paths = Object.keys(sent).sort()
  for (const path of paths.slice(0, maxAttributes)) {
    const value = sent[path]
    if (typeof value !== 'string' || path.length > longestPath) continue
    const text = storable(value)
    if (text.length > longestValue)
      problems.push(unusable(path, `The value has more than ${longestValue} characters.`))
    else if (text !== '') clean[storable(path)] = text
  }
  if (paths.length > maxAttributes)
    problems.push(unusable('attributes', `Only the first ${maxAttributes} of ${paths.length} are kept.`))
  return clean
}

function cleanAliases(sent: readonly string[], address: string, problems: PersonProblem[]): string[] {
  const byKey = new Map<string, string>()
  for (const alias of sent.map(storable)) {
    const key = comparisonKey(alias)
    if (key === comparisonKey(address) || byKey.has(key)) continue
    if (!isEmailAddress(alias))
      problems.push(unusable('aliases', `“${alias.slice(0, 100)}” is not an address.`))
    else byKey.set(key, alias)
  }
  const all = [...byKey.values()].sort()
  if (all.length > maxAliases)
    problems.push(unusable('aliases', `Only the first ${maxAliases} of ${all.length} are kept.`))
  return all.slice(0, maxAliases)
}

export function cleanPerson(person: DirectoryPerson): CleanPerson {
  const problems: PersonProblem[] = []
  const sentAddress = storable(person.primaryAddress)
  const isValid = isEmailAddress(sentAddress)
  if (!isValid) problems.push(unusable('address', `“${sentAddress.slice(0, 100)}” is not an address.`))
  const address = isValid ? sentAddress : ''
  const attributes = cleanAttributes(person.attributes, problems)
  const cleaned = {
    externalId: cleanId(person.externalId),
    address,
    aliases: cleanAliases(person.aliases, address, problems),
    isActive: person.isActive,
    attributes,
    photoTag: person.photoTag ? storable(person.photoTag).slice(0, longestId) : null,
    orgUnitId: person.orgUnitId ? cleanId(person.orgUnitId) : null,
  }
  // With the problems: what is not kept can change too.
  const hashed = JSON.stringify(problems.length === 0 ? cleaned : { ...cleaned, problems })
  const fingerprint = hash('sha256', hashed, 'buffer').subarray(0, 16)
  return { ...cleaned, fingerprint, problems }
}

export const addressKeysOfPerson = ({
  address,
  aliases,
}: Pick<CleanPerson, 'address' | 'aliases'>): string[] =>
  [...(address === '' ? [] : [address]), ...aliases].map(comparisonKey)
