// `signoff billing`: invoices that the operator issues, and those of Stripe.
import { readFile } from 'node:fs/promises'
import { StripeError, stripeApi, stripeDocuments } from '#connectors/stripe/documents.ts'
import { stripeFiles } from '#connectors/stripe/files.ts'
import {
  allDocuments,
  changeIssuer,
  changeRecipient,
  creditInvoice,
  emptyOutcome,
  FileProblem,
  findIssued,
  formatAmount,
  type ImportOutcome,
  type IssuedDocument,
  importDocuments,
  issueInvoice,
  listIssuers,
  recipientOf,
  type SeatRule,
} from '#features/workspace/billing/index.ts'
import type { Caller } from '#kernel/api/scopes.ts'
import type { Db } from '#kernel/db/db.ts'
import { createPublicFetch } from '#platform/public-fetch.ts'
import { createStore, type Store } from '#platform/storage/index.ts'
import {
  CommandError,
  chooseWorkspace,
  print,
  printable,
  table,
  type WorkspaceOption,
  withDatabase,
} from '../context.ts'

interface BillingCommand {
  readonly db: Db
  readonly by: Caller
  readonly store: Store
  readonly privateTargets: readonly string[] | null
}

const connections = 2

const withBilling = (
  workspace: string | undefined,
  work: (command: BillingCommand) => Promise<void>,
): Promise<void> =>
  withDatabase(
    'billing',
    async ({ db }, config) => {
      const by = await chooseWorkspace(db, workspace)
      await work({ db, by, store: createStore(config), privateTargets: config.privateTargets })
    },
    { connections },
  )

interface IssuerOptions {
  readonly issuer: string
  readonly name?: string
  readonly address?: readonly string[]
  readonly taxId?: string
  readonly payment?: readonly string[]
  readonly prefix?: string
  readonly firstNumber?: number
}

/** Without anything to change, lists the issuers. */
export const setIssuer = ({ issuer: code, ...patch }: IssuerOptions): Promise<void> =>
  withDatabase('billing', async ({ db }) => {
    if (Object.keys(patch).length > 0) {
      const { name, prefix, last_number } = await changeIssuer(db, code, patch)
      const next = `${prefix}${String(last_number + 1).padStart(5, '0')}`
      return print(`${name} issues invoices as ${code}. The next number is ${next}.`)
    }
    const rows = (await listIssuers(db)).map(issuer => [
      issuer.code,
      issuer.name,
      issuer.address.join(', '),
      issuer.tax_id ?? '',
      issuer.prefix,
      String(issuer.last_number),
    ])
    print(table([['ISSUER', 'NAME', 'ADDRESS', 'TAX ID', 'PREFIX', 'LAST NUMBER'], ...rows]))
  })

interface RecipientOptions extends WorkspaceOption {
  readonly name?: string
  readonly address?: readonly string[]
  readonly taxId?: string
  readonly reference?: string
}

/** Without anything to change, prints the recipient. */
export const setRecipient = ({ workspace, ...patch }: RecipientOptions): Promise<void> =>
  withBilling(workspace, async ({ db, by }) => {
    const hasPatch = Object.keys(patch).length > 0
    const recipient = hasPatch
      ? await changeRecipient(db, by.workspaceId, patch)
      : await recipientOf(db, by.workspaceId)
    const { name, address, taxId, reference } = recipient
    print([name, ...address, taxId, reference].filter(text => text !== null).join('\n'))
  })

interface IssueOptions extends WorkspaceOption {
  readonly period: string
  readonly seatPrice: string
  readonly currency: string
  readonly taxRate: string
  readonly seats: SeatRule
  readonly dueDays: number
  readonly note?: string
  readonly issuer: string
  readonly again?: boolean
}

function printIssued({ id, content }: IssuedDocument): void {
  const { number, total, currency, seatHundredths } = content
  print(`${number}: ${formatAmount('en', total, currency)} for ${seatHundredths / 100} seats.`)
  print(`Its id in the API is ${id}.`)
}

export const issue = (options: IssueOptions): Promise<void> =>
  withBilling(options.workspace, async ({ db, by, store }) => {
    const { workspace: _, seats: seatRule, note = null, again = false, ...request } = options
    const now = () => new Date()
    const issued = await issueInvoice(db, by, { ...request, seatRule, note, again }, { store, now })
    printIssued(issued)
    if (new Date().toISOString().startsWith(options.period))
      print('The month is not over: the invoice charges the seats that were counted until now.')
  })

interface CreditOptions extends WorkspaceOption {
  readonly note?: string
}

export const credit = (number: string, { workspace, ...options }: CreditOptions): Promise<void> =>
  withBilling(workspace, async ({ db, by, store }) => {
    const now = () => new Date()
    const issued = await creditInvoice(db, by, { number, note: options.note ?? null }, { store, now })
    printIssued(issued)
    const period = new Date(`${issued.content.periodFirst}T00:00:00Z`)
    const left = await findIssued(db, by.workspaceId, period)
    const rest =
      left === undefined ? 'Its period can be issued again.' : `Its period has the invoice ${left} too.`
    print(`${number} is cancelled. ${rest}`)
  })

export const list = ({ workspace }: WorkspaceOption): Promise<void> =>
  withBilling(workspace, async ({ db, by }) => {
    const rows = (await allDocuments(db, by.workspaceId)).map(row => [
      row.number,
      row.kind.replace('_', ' '),
      row.source,
      row.currency === null
        ? (row.total_amount_cents / 100).toFixed(2)
        : formatAmount('en', row.total_amount_cents, row.currency),
      row.created_at.slice(0, 10),
    ])
    print(table([['NUMBER', 'KIND', 'SOURCE', 'TOTAL', 'DATE'], ...rows]))
  })

interface StripeOptions extends WorkspaceOption {
  readonly key?: string
  readonly keyFile?: string
  readonly customer: string
  readonly api?: string
}

async function keyOf({ key, keyFile }: StripeOptions): Promise<string> {
  if ((key === undefined) === (keyFile === undefined))
    throw new CommandError('Give the key of Stripe by --key or by --key-file.')
  const text =
    key ??
    (await readFile(keyFile as string, 'utf8').catch(() => {
      throw new CommandError(`The key file ${keyFile} cannot be read.`)
    }))
  if (!/^[A-Za-z0-9_]{8,300}$/.test(text.trim()))
    throw new CommandError('The key of Stripe is a text such as rk_live_… without spaces.')
  return text.trim()
}

/** An import of thousands of files takes minutes. */
async function* withProgress<T>(documents: AsyncIterable<T>): AsyncGenerator<T> {
  let count = 0
  for await (const document of documents) {
    yield document
    if (++count % 25 === 0 && process.stderr.isTTY) process.stderr.write(`${count} documents…\n`)
  }
}

function printOutcome({ imported, existing, leftOut, voided }: ImportOutcome): void {
  print(`Imported ${imported}; ${existing} were here already; ${leftOut} drafts and void ones were left out.`)
  for (const number of voided)
    print(`${printable(number)} is void at Stripe now. Here it stays as it was imported.`)
}

const failuresOf = ({ failed }: ImportOutcome): string =>
  [
    `${failed.length} were not imported; run the command again:`,
    ...failed.map(({ number, reason }) => `  ${printable(number)}: ${printable(reason)}`),
  ].join('\n')

export const importStripe = (options: StripeOptions): Promise<void> =>
  withBilling(options.workspace, async ({ db, by, store, privateTargets }) => {
    const { customer, api } = options
    if (!/^[A-Za-z0-9_]{1,100}$/.test(customer))
      throw new CommandError(`--customer must be an id such as cus_123; not ${customer}.`)
    const fetchPublic = createPublicFetch({ privateTargets })
    const { baseAddress } = await import('../integrations/integrations.ts')
    const { api: base = stripeApi } = baseAddress('--api', 'api', api)
    const documents = stripeDocuments(customer, { fetchPublic, api: base, key: await keyOf(options) })
    const readFileOf = stripeFiles({ fetchPublic })
    const fetchFile = (url: string) =>
      readFileOf(url).catch(error => {
        throw error instanceof StripeError ? new FileProblem(error.message) : error
      })
    const outcome = emptyOutcome()
    try {
      await importDocuments(db, by, withProgress(documents), { store, fetchFile }, outcome)
    } catch (error) {
      const { imported, existing, leftOut, voided, failed } = outcome
      if (imported + existing + leftOut + voided.length + failed.length > 0) printOutcome(outcome)
      if (failed.length > 0) process.stderr.write(`${failuresOf(outcome)}\n`)
      throw error instanceof StripeError ? new CommandError(printable(error.message)) : error
    }
    printOutcome(outcome)
    if (outcome.failed.length > 0) throw new CommandError(failuresOf(outcome))
  })
