// The words of invoices, in English and German.

interface InvoiceTexts {
  readonly invoice: string
  readonly creditNote: string
  readonly number: string
  readonly date: string
  readonly period: string
  readonly due: string
  readonly reference: string
  readonly yourTaxId: string
  readonly taxId: string
  readonly to: string
  readonly description: string
  readonly quantity: string
  readonly price: string
  readonly amount: string
  readonly seats: string
  readonly net: string
  readonly tax: string
  readonly total: string
  readonly payment: string
  /** Label on a credit note. */
  readonly corrects: string
  readonly rules: Readonly<Record<'peak' | 'average', string>>
  readonly counted: (days: number) => string
}

const english: InvoiceTexts = {
  invoice: 'Invoice',
  creditNote: 'Credit note',
  number: 'Number',
  date: 'Date',
  period: 'Period',
  due: 'Due',
  reference: 'Your reference',
  yourTaxId: 'Your tax ID',
  taxId: 'Tax ID',
  to: 'To',
  description: 'Description',
  quantity: 'Seats',
  price: 'Price per seat',
  amount: 'Amount',
  seats: 'Signoff: seats for email signatures',
  net: 'Net amount',
  tax: 'Tax',
  total: 'Total',
  payment: 'Payment',
  corrects: 'Cancels invoice',
  rules: {
    peak: 'A seat is an active teammate. Seats are counted every hour (UTC); the highest count of the period is charged.',
    average:
      'A seat is an active teammate. Seats are counted every hour (UTC); the average of the days of the period is charged.',
  },
  counted: days => (days === 1 ? 'Counted on one day.' : `Counted on ${days} days.`),
}

const german: InvoiceTexts = {
  invoice: 'Rechnung',
  creditNote: 'Stornorechnung',
  number: 'Nummer',
  date: 'Datum',
  period: 'Leistungszeitraum',
  due: 'Zahlbar bis',
  reference: 'Ihr Zeichen',
  yourTaxId: 'Ihre USt-IdNr.',
  taxId: 'USt-IdNr./St.-Nr.',
  to: 'An',
  description: 'Beschreibung',
  quantity: 'Plätze',
  price: 'Preis je Platz',
  amount: 'Betrag',
  seats: 'Signoff: Plätze für E-Mail-Signaturen',
  net: 'Nettobetrag',
  tax: 'Steuer',
  total: 'Gesamtbetrag',
  payment: 'Zahlung',
  corrects: 'Storniert Rechnung',
  rules: {
    peak: 'Ein Platz ist eine aktive Person. Die Plätze werden stündlich gezählt (UTC); berechnet wird die höchste Zahl des Zeitraums.',
    average:
      'Ein Platz ist eine aktive Person. Die Plätze werden stündlich gezählt (UTC); berechnet wird der Durchschnitt der Tage des Zeitraums.',
  },
  counted: days => (days === 1 ? 'Gezählt an einem Tag.' : `Gezählt an ${days} Tagen.`),
}

export const invoiceTexts = { en: english, de: german } as const
