// Texts and dates: how they are cleaned, and how SQL compares, searches and writes them.
import { empty, type Sql, sql } from './db.ts'

/** A timestamp as the API shows it. PostgreSQL writes it, so that a statement can build a list as JSON. */
export const iso = (column: Sql): Sql =>
  sql`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

/** Characters that change the text direction can make a text look like another one. */
export const withoutDirectionMarks = (text: string): string =>
  text.replace(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '')

/** Control characters would end the header of a mail; direction marks make a name look like another one. */
export const isPlainName = (text: string): boolean =>
  !/[\p{Cc}\u2028\u2029]/u.test(text) && withoutDirectionMarks(text) === text

/** The same name without what `isPlainName` refuses. */
export const asPlainName = (text: string): string =>
  withoutDirectionMarks(text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')).trim()

/** True if this is an IANA time zone name such as `Europe/Berlin`. */
export function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}

/** PostgreSQL and JavaScript read the date alike, and its year has at most four digits. */
export const isStorableDate = (time: Date): boolean => {
  const year = time.getUTCFullYear()
  return year >= 1 && year <= 9_999
}

/** A part of a WHERE clause, for `updated_since`; nothing without a moment. */
export const changedSince = (column: Sql, moment: Date | undefined): Sql =>
  moment === undefined ? empty : sql`and ${column} >= ${moment}`

/** The form in which addresses, labels and values are compared: trimmed and in lower case. */
export const comparisonKey = (text: string): string => text.trim().normalize('NFC').toLowerCase()

/**
 * For longer texts LIKE can compare the whole text at every position of a value, which takes up to 10 times as long.
 */
const longestForLike = 16

/**
 * Condition that a value in the form of `comparisonKey` contains this text. LIKE and ~ can both use a trigram index.
 */
export function contains(value: Sql, text: string): Sql {
  const key = comparisonKey(text)
  // `***=` makes PostgreSQL read the rest of a regular expression as plain text.
  if (key.length > longestForLike) return sql`${value} ~ ${`***=${key}`}`
  return sql`${value} like ${`%${key.replace(/[\\%_]/g, '\\$&')}%`}`
}
