// How much of an answer an agent gets: a model reads every character, and pays for it.
import { isRecord, type JsonRecord } from './api.ts'

export const rowsPerPage = 25
export const maxRows = 100
/** Characters of JSON: about 15,000 tokens. */
export const maxAnswerLength = 60_000
/** Bytes of one picture. */
export const maxPictureBytes = 1024 * 1024

const lengthOf = (value: unknown): number => JSON.stringify(value)?.length ?? 0

/** Leaves out the longest properties until the rest fits, and names them in `left_out`. */
function withoutLongest(object: JsonRecord, room: number): JsonRecord {
  const bySize = Object.keys(object).sort((a, b) => lengthOf(object[b]) - lengthOf(object[a]))
  const leftOut: string[] = []
  let rest = object
  for (const name of bySize) {
    if (lengthOf(rest) <= room) break
    const { [name]: _, ...others } = rest
    leftOut.push(name)
    rest = others
  }
  return leftOut.length === 0 ? object : { ...rest, left_out: leftOut }
}

/** Rows from the beginning that fit. */
function firstRows(rows: readonly unknown[], room: number): readonly unknown[] {
  let used = 2
  const end = rows.findIndex(row => {
    used += lengthOf(row) + 1
    return used > room
  })
  return end === -1 ? rows : rows.slice(0, end)
}

/** For the ids of all rows of a page. */
const noteRoom = 5_000

/** The answer, or as much of it as fits: fewer rows of a list, or an object without its longest properties. */
export function bounded(answer: JsonRecord): JsonRecord {
  if (lengthOf(answer) <= maxAnswerLength) return answer
  const room = maxAnswerLength - noteRoom
  const { data, ...siblings } = withoutLongestSiblings(answer, room)
  const left = room - lengthOf(siblings)
  if (Array.isArray(data)) {
    const rows = firstRows(data, left)
    if (rows.length === data.length) return { data, ...siblings }
    return { data: rows, ...siblings, ...noteAbout(data.slice(rows.length)) }
  }
  return isRecord(data) ? { data: withoutLongest(data, left), ...siblings } : { ...siblings }
}

/** A later page does not have these rows, so their ids are named. */
function noteAbout(leftOut: readonly unknown[]): JsonRecord {
  const ids = leftOut.slice(0, maxRows).map(row => String(isRecord(row) ? row.id : row).slice(0, 36))
  return { note: 'Some rows are left out because they are long; read them one by one.', left_out_ids: ids }
}

/** The most bytes of everything beside `data`: half of the room. */
function withoutLongestSiblings(answer: JsonRecord, room: number): JsonRecord {
  const { data, ...siblings } = answer
  if (!('data' in answer)) return withoutLongest(answer, room)
  return { data, ...withoutLongest(siblings, room / 2) }
}
