// Invoices of three months, as an operator issues them: see docs/operate/billing.md.
import {
  allDocuments,
  changeIssuer,
  changeRecipient,
  insertPastSeats,
  issueInvoice,
} from '#features/workspace/billing/index.ts'
import type { Caller } from '#kernel/api/scopes.ts'
import { day } from '#kernel/base/durations.ts'
import { OperatorError } from '#kernel/base/errors.ts'
import type { Db } from '#kernel/db/db.ts'
import type { Parts } from '#parts.ts'
import { companyName } from './people.ts'

const issuer = 'demo'

/** Active people at the beginning of each month; one more every ten days. */
const months = [
  { period: '2026-01', seats: 42 },
  { period: '2026-02', seats: 45 },
  { period: '2026-03', seats: 51 },
]

const daysIn = (period: string): string[] => {
  const start = new Date(`${period}-01T00:00:00Z`)
  const end = new Date(start)
  end.setUTCMonth(end.getUTCMonth() + 1)
  const length = (end.getTime() - start.getTime()) / day
  return Array.from({ length }, (_, n) => `${period}-${String(n + 1).padStart(2, '0')}`)
}

export async function fillInvoices(db: Db, by: Caller, { store }: Pick<Parts, 'store'>): Promise<void> {
  if ((await allDocuments(db, by.workspaceId)).length > 0) return
  await changeIssuer(db, issuer, {
    name: 'Elbcloud Hosting GmbH',
    address: ['Am Sandtorkai 30', '20457 Hamburg', 'Germany'],
    taxId: 'DE 123 456 789',
    payment: ['IBAN DE89 3704 0044 0532 0130 00', 'BIC COBADEFFXXX'],
    prefix: 'DEMO-',
  })
  await changeRecipient(db, by.workspaceId, {
    name: companyName,
    address: ['Speicherstraße 8', '28217 Bremen', 'Germany'],
    taxId: 'DE 987 654 321',
    reference: 'Cost centre 4200',
  })
  for (const { period, seats } of months) {
    const days = daysIn(period).map((day, n) => ({ day, seats: seats + Math.floor(n / 10) }))
    await db.query(insertPastSeats(by.workspaceId, days))
    const [lastDay = ''] = daysIn(period).slice(-1)
    const now = () => new Date(Date.parse(`${lastDay}T06:00:00Z`) + day)
    const request = {
      period,
      issuer,
      seatPrice: '2.00',
      currency: 'EUR',
      taxRate: '19',
      seatRule: 'peak' as const,
      dueDays: 14,
      note: null,
      again: false,
    }
    try {
      await issueInvoice(db, by, request, { store, now })
    } catch (error) {
      // Without the optional packages that draw invoices, the demo has none.
      if (error instanceof OperatorError) return
      throw error
    }
  }
}
