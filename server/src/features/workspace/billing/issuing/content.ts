// Everything that an issued document says. Its row keeps it, and its file is drawn from it alone.

interface Party {
  readonly name: string
  /** Lines. */
  readonly address: readonly string[]
  readonly taxId: string | null
}

interface IssuerParty extends Party {
  /** Lines that say how to pay. */
  readonly payment: readonly string[]
}

export interface RecipientParty extends Party {
  readonly reference: string | null
}

/** `peak`: the highest count of the month. `average`: the average of its days. */
export type SeatRule = 'peak' | 'average'

export interface IssuedContent {
  readonly kind: 'invoice' | 'credit_note'
  readonly number: string
  readonly language: 'en' | 'de'
  /** For the form of numbers and dates. */
  readonly locale: string
  readonly createdAt: string
  /** Days as `2026-11-30`. */
  readonly issuedOn: string
  readonly dueOn: string
  readonly periodFirst: string
  readonly periodLast: string
  /** Owner of the series of numbers. */
  readonly issuerCode: string
  readonly issuer: IssuerParty
  readonly recipient: RecipientParty
  readonly currency: string
  readonly seatRule: SeatRule
  readonly seatHundredths: number
  readonly countedDays: number
  /** In the smallest unit of the currency. Those of a credit note are negative, except the price. */
  readonly price: number
  readonly net: number
  readonly tax: number
  readonly total: number
  readonly taxHundredths: number
  readonly note: string | null
  /** Number of the invoice that a credit note cancels. */
  readonly corrects: string | null
}
