// Names in a Citus cluster. A shard is a table of PostgreSQL, and its constraints are named after those of the whole
// table, with the number of the shard.

/** PostgreSQL cuts longer names. */
const maxNameBytes = 63

/**
 * Whether `found` is the constraint `name`, of a whole table or of one of its shards. Citus writes `name_102008`; where
 * that would be too long, the beginning of the name, a hash and the number.
 */
export function isConstraintName(found: string, name: string): boolean {
  const ofTable = found.replace(/_\d{6,}$/, '')
  if (ofTable === name) return true
  const beginning = ofTable.replace(/_[0-9a-f]{8}$/, '')
  return found.length === maxNameBytes && beginning !== ofTable && name.startsWith(beginning)
}

/**
 * Whether the text of an error names the constraint. An error of a shard names it nowhere else. The text can be in any
 * language, so that only the name itself can be looked for.
 */
export const namesConstraint = (message: string, name: string): boolean =>
  (message.match(/\w+/g) ?? []).some(word => isConstraintName(word, name))
