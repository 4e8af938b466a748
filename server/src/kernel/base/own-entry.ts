/**
 * The entry of a table for a key that a client chose. Plain access would also find what every object inherits, such as
 * `constructor`.
 */
export const ownEntry = <T>(table: Readonly<Record<string, T>>, key: string): T | undefined =>
  Object.hasOwn(table, key) ? table[key] : undefined
