// Money as whole numbers of the smallest unit of its currency, and rates and seats in hundredths: no fraction is lost.
import { invalid } from '#kernel/base/errors.ts'

const withDigits = (digits: number, codes: string): (readonly [string, number])[] =>
  codes.split(' ').map(code => [code, digits])

/**
 * The currencies of ISO 4217 whose smallest unit is not a hundredth. Intl cannot tell: it has the digits of everyday use,
 * and those of the forint and the rupiah are 0 there.
 */
const digitsOfOthers = new Map([
  ...withDigits(0, 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'),
  ...withDigits(3, 'BHD IQD JOD KWD LYD OMR TND'),
  ...withDigits(4, 'CLF UYW'),
])

/** Number of digits of the currency after the point; undefined for a text that is no currency. */
const digitsOf = (currency: string): number | undefined =>
  Intl.supportedValuesOf('currency').includes(currency) ? (digitsOfOthers.get(currency) ?? 2) : undefined

/** A decimal number as a whole number of its last digit: `2.5` with two digits is 250. */
function scaled(field: string, text: string, digits: number, most: number): number {
  const [, whole = '', fraction = ''] = /^(\d{1,9})(?:\.(\d{1,4}))?$/.exec(text) ?? []
  if (whole === '')
    throw invalid(field, 'invalid', { message: `${field} must be a number such as 2 or 2.50; not ${text}` })
  if (fraction.length > digits)
    throw invalid(field, 'invalid', { message: `${field} has more than ${digits} digits after the point` })
  const value = Number(whole + fraction.padEnd(digits, '0'))
  if (value > most)
    throw invalid(field, 'out_of_range', { message: `${field} must be from 0 to ${most / 10 ** digits}` })
  return value
}

const mostPrice = 1_000_000_00

export function readPrice(seatPrice: string, currency: string): number {
  const digits = digitsOf(currency)
  if (digits === undefined)
    throw invalid('currency', 'invalid', {
      message: `currency must be a code such as EUR or USD; not ${currency}`,
    })
  if (digits !== 2)
    throw invalid('currency', 'invalid', {
      message: `currency must have two digits after the point, because totals are in cents; ${currency} has ${digits}`,
    })
  return scaled('seat_price', seatPrice, digits, mostPrice)
}

/** Percent, in hundredths. */
export const readTaxRate = (taxRate: string): number => scaled('tax_rate', taxRate, 2, 100_00)

/** Half is rounded up. */
const divided = (amount: bigint, by: bigint): number => Number((amount * 2n + by) / (by * 2n))

export interface Totals {
  readonly net: number
  readonly tax: number
  readonly total: number
}

/** The largest number that the column of the document holds. */
const mostTotal = 2_147_483_647

export function totalsOf(seatHundredths: number, price: number, taxHundredths: number): Totals {
  const net = divided(BigInt(seatHundredths) * BigInt(price), 100n)
  const tax = divided(BigInt(net) * BigInt(taxHundredths), 10_000n)
  if (net + tax > mostTotal)
    throw invalid('seat_price', 'out_of_range', { message: 'the total of the invoice is too large' })
  return { net, tax, total: net + tax }
}

/** Cents as people write them: `1.234,50 €`. Negative for credit notes. */
export const formatAmount = (locale: string, amount: number, currency: string): string =>
  new Intl.NumberFormat(locale, {
    style: 'currency',
    currency,
    numberingSystem: 'latn',
    minimumFractionDigits: 2,
    maximumFractionDigits: 2,
  }).format(amount / 100)

export const formatHundredths = (locale: string, hundredths: number): string =>
  new Intl.NumberFormat(locale, { maximumFractionDigits: 2, numberingSystem: 'latn' }).format(
    hundredths / 100,
  )
