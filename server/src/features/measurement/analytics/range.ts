// Reads the requested time range and divides it into days, spans and periods. Everything is in UTC.

import { type Moment, readMoment } from '#kernel/api/validation.ts'
import { day, hour } from '#kernel/base/durations.ts'
import { type Detail, detail, invalid, validationError } from '#kernel/base/errors.ts'

/** Includes `from`, excludes `to`. */
export interface Range {
  readonly from: Date
  readonly to: Date
}

export const isEmpty = ({ from, to }: Range): boolean => from >= to

/** A range together with both ends as the request gave them. */
export interface RequestedRange extends Range {
  readonly start_date: string
  readonly end_date: string
}

const defaultDays = 30

export const dateOf = (moment: Date): string => moment.toISOString().slice(0, 10)
const plusDays = (moment: Date, days: number): Date => new Date(moment.getTime() + days * day)
const startOfDay = (moment: Date): Date => new Date(Math.floor(moment.getTime() / day) * day)
export const startOfMonth = (moment: Date, months = 0): Date =>
  new Date(Date.UTC(moment.getUTCFullYear(), moment.getUTCMonth() + months, 1))

interface RangeEnd extends Moment {
  readonly text: string
}

function readEnd(field: string, text: string): RangeEnd | Detail {
  const moment = readMoment(text)
  if (moment === undefined) return detail(field, 'invalid')
  const { at, isDay } = moment
  const year = at.getUTCFullYear()
  if (year < 1970 || year > 9998) return detail(field, 'out_of_range')
  return { at, isDay, text: isDay ? text : at.toISOString() }
}

export interface Dates {
  readonly start_date?: string
  readonly end_date?: string
}

/** A day includes all of its events, at both ends. An instant is exact; an event at the end instant is outside. */
export function readRange({ start_date, end_date }: Dates, now: Date): RequestedRange {
  const today = dateOf(now)
  const start = start_date === undefined ? undefined : readEnd('start_date', start_date)
  const end = readEnd('end_date', end_date ?? today)
  const problems = [start, end].filter(boundary => boundary !== undefined && 'field' in boundary)
  if ((start && 'field' in start) || 'field' in end) throw validationError(problems)
  const to = end.isDay ? plusDays(end.at, 1) : end.at
  const defaultStart = dateOf(plusDays(end.at, 1 - defaultDays))
  const { at: from, text } = start ?? { at: new Date(`${defaultStart}T00:00:00Z`), text: defaultStart }
  if (end.isDay ? from >= to : from > to)
    throw invalid('end_date', 'out_of_range', { message: 'end_date is before start_date' })
  return { from, to, start_date: text, end_date: end.text }
}

const floor = (moment: Date, unit: number): Date => new Date(Math.floor(moment.getTime() / unit) * unit)
const ceil = (moment: Date, unit: number): Date => new Date(Math.ceil(moment.getTime() / unit) * unit)

/** Splits a range into its whole days (or hours) and the parts before and after them. */
export function split(
  range: Range,
  unit: 'day' | 'hour',
): { readonly inner: Range; readonly edges: Range[] } {
  const size = unit === 'day' ? day : hour
  const inner = { from: ceil(range.from, size), to: floor(range.to, size) }
  if (isEmpty(inner))
    return { inner: { from: range.from, to: range.from }, edges: isEmpty(range) ? [] : [range] }
  const edges = [
    { from: range.from, to: inner.from },
    { from: inner.to, to: range.to },
  ]
  return { inner, edges: edges.filter(edge => !isEmpty(edge)) }
}

/** Rollups are stored per span of 1, 8 and 64 days, aligned to 1970-01-01. */
export const spans = [1, 8, 64] as const
export type Span = (typeof spans)[number]

export function spanAround(moment: Date, span: Span): Range {
  const from = floor(moment, span * day)
  return { from, to: plusDays(from, span) }
}

/** The spans of one size in a range, to add (sign 1) or subtract (sign -1). */
interface RangePiece extends Range {
  readonly span: Span
  readonly sign: 1 | -1
}

/**
 * The spans that add up to these days, with as few rows to read as possible. At each end it takes the shorter way:
 * small spans up to the next larger span, or that larger span minus the small spans outside the range.
 */
export function spansCovering(days: Range): RangePiece[] {
  const pieces: RangePiece[] = []
  let [from, to] = [days.from.getTime() / day, days.to.getTime() / day]
  const addPiece = (span: Span, sign: 1 | -1, start: number, end: number) => {
    if (start < end) pieces.push({ span, sign, from: new Date(start * day), to: new Date(end * day) })
  }
  for (const [index, span] of spans.entries()) {
    const nextSpan = spans[index + 1]
    const roundToSpan = (at: number) => Math.round(at / (nextSpan ?? 1)) * (nextSpan ?? 1)
    const [roundedFrom, roundedTo] = [roundToSpan(from), roundToSpan(to)]
    if (nextSpan === undefined || roundedFrom >= roundedTo) {
      addPiece(span, 1, from, to)
      return pieces
    }
    addPiece(span, 1, from, roundedFrom)
    addPiece(span, -1, roundedFrom, from)
    addPiece(span, 1, roundedTo, to)
    addPiece(span, -1, to, roundedTo)
    from = roundedFrom
    to = roundedTo
  }
  return pieces
}

export const intervals = ['hour', 'day', 'week', 'month'] as const
export type Interval = (typeof intervals)[number]

const maxPeriods = 10_000

/** Weeks start on Monday. */
function periodOf(moment: Date, interval: Interval): Date {
  if (interval === 'hour') return floor(moment, hour)
  if (interval === 'month') return startOfMonth(moment)
  const midnight = startOfDay(moment)
  return interval === 'day' ? midnight : plusDays(midnight, -((midnight.getUTCDay() + 6) % 7))
}

function nextPeriod(period: Date, interval: Interval): Date {
  if (interval === 'hour') return new Date(period.getTime() + hour)
  if (interval === 'month') return startOfMonth(period, 1)
  return plusDays(period, interval === 'day' ? 1 : 7)
}

const periodName = (period: Date, interval: Interval): string =>
  interval === 'hour' ? period.toISOString() : dateOf(period)

/** The names of all periods that overlap the range, in order. */
export function periodsIn(range: Range, interval: Interval, field = 'interval'): string[] {
  const names: string[] = []
  if (isEmpty(range)) return names
  for (let at = periodOf(range.from, interval); at < range.to; at = nextPeriod(at, interval)) {
    names.push(periodName(at, interval))
    if (names.length > maxPeriods)
      throw invalid(field, 'out_of_range', {
        message: `${field} ${interval} makes more than ${maxPeriods} periods of these dates`,
      })
  }
  return names
}
