// The attributes that lists can be filtered by: those of /Schemas, and those that all resources have.
import { enterpriseUrn, groupUrn, userUrn } from '../attributes.ts'
import { type ScimAttribute, schemaAttributes } from '../discovery.ts'

export interface FilterAttribute {
  /** The name in lower case, without a URN: `name.givenname`, `emails.value`. */
  readonly name: string
  readonly type: string
  readonly isExact: boolean
  /** The path of the value in a resource; for a list, the path of the list. */
  readonly path: readonly string[]
  /** The path of the value in an entry of a list. */
  readonly part: readonly string[] | null
}

export type FilterAttributes = ReadonlyMap<string, FilterAttribute>

/** The attributes with their parts. Those of an extension can be named with its URN or without. */
function entriesOf(attributes: readonly ScimAttribute[], urn: string, extension: readonly string[] = []) {
  const all = attributes.flatMap(({ subAttributes = [], multiValued, ...whole }) => {
    const path = [...extension, whole.name]
    const parts = subAttributes.map(part => ({
      ...part,
      name: `${whole.name}.${part.name}`,
      path: multiValued ? path : [...path, part.name],
      part: multiValued ? [part.name] : null,
    }))
    return [{ ...whole, path, part: multiValued ? [] : null }, ...parts]
  })
  return all.flatMap(({ name, type, caseExact: isExact, path, part }) => {
    const filtered: FilterAttribute = { name: name.toLowerCase(), type, isExact, path, part }
    return [
      [filtered.name, filtered],
      [`${urn.toLowerCase()}:${filtered.name}`, filtered],
    ] as const
  })
}

const { common, user, group, enterprise } = schemaAttributes

export const userFilters: FilterAttributes = new Map([
  ...entriesOf(enterprise, enterpriseUrn, [enterpriseUrn]),
  ...entriesOf([...common, ...user], userUrn),
])

export const groupFilters: FilterAttributes = new Map(entriesOf([...common, ...group], groupUrn))
