// Who issues invoices, and to whom they are addressed.
import { mailIdentityOf } from '#features/workspace/workspaces/index.ts'
import { invalid, orNotFound } from '#kernel/base/errors.ts'
import type { Db } from '#kernel/db/db.ts'
import type { RecipientParty } from './content.ts'
import {
  earlierUserOf,
  findRecipient,
  listIssuers,
  lockIssuer,
  lockIssuers,
  type StoredIssuer,
  saveIssuer,
  saveRecipient,
} from './queries.ts'

const longestLine = 100
const mostLines = 6

function checkedLine(field: string, text: string): string {
  const clean = text.normalize('NFC').trim()
  if (clean === '') throw invalid(field, 'blank')
  if (clean.length > longestLine) throw invalid(field, 'too_long')
  if (/\p{C}/u.test(clean)) throw invalid(field, 'invalid')
  return clean
}

function checkedLines(field: string, lines: readonly string[]): string[] {
  if (lines.length > mostLines) throw invalid(field, 'too_many')
  return lines.map(line => checkedLine(field, line))
}

const checkedOrNull = (field: string, text: string): string | null =>
  text.trim() === '' ? null : checkedLine(field, text)

/** Letters that file names, headers and XML take as they are. */
const prefixPattern = /^[A-Za-z0-9._-]{0,20}$/

interface IssuerPatch {
  readonly name?: string
  readonly address?: readonly string[]
  /** Empty texts clear. */
  readonly taxId?: string
  readonly payment?: readonly string[]
  readonly prefix?: string
  /** Number of the first document of a new issuer. */
  readonly firstNumber?: number
}

const mostNumber = 999_999_999

function firstNumberOf({ firstNumber = 1 }: IssuerPatch): number {
  if (!Number.isInteger(firstNumber) || firstNumber < 1 || firstNumber > mostNumber)
    throw invalid('first_number', 'out_of_range', {
      message: `first_number must be a whole number from 1 to ${mostNumber}`,
    })
  return firstNumber
}

/** `EC-` and `EC-1` would both give EC-100100. */
const giveSameNumbers = (first: string, other: string): boolean => {
  const [short, long] = first.length < other.length ? [first, other] : [other, first]
  return long.startsWith(short) && /^\d*$/.test(long.slice(short.length))
}

/** Two issuers with one prefix, or with prefixes that differ by digits at the end, would give the same numbers. */
async function refuseUsedPrefix(tx: Db, { code, prefix }: StoredIssuer): Promise<void> {
  const user = (await listIssuers(tx)).find(
    issuer => issuer.code !== code && giveSameNumbers(issuer.prefix, prefix),
  )
  const refusal = (problem: string) =>
    invalid('prefix', 'taken', { message: `${problem}: give another one with --prefix` })
  if (user && user.prefix !== prefix)
    throw refusal(
      `the issuer ${user.code} has the prefix ${user.prefix}, which would give the same numbers as ${prefix}`,
    )
  const [owner, verb] = user ? [user.code, 'has'] : [await earlierUserOf(tx, code, prefix), 'has used']
  if (owner !== undefined) throw refusal(`the issuer ${owner} ${verb} the prefix ${prefix}`)
}

/** Creates an issuer, or changes what is given. Documents that are issued keep what they say. */
export const changeIssuer = (db: Db, code: string, patch: IssuerPatch): Promise<StoredIssuer> =>
  db.transaction(async tx => {
    if (!/^[a-z0-9-]{1,40}$/.test(code))
      throw invalid('issuer', 'invalid', { message: 'issuer must be a word of a-z, 0-9 and -' })
    await lockIssuers(tx)
    const stored = await lockIssuer(tx, code)
    const { name, address, taxId, payment, prefix } = patch
    if (!stored && name === undefined) throw invalid('name', 'missing', { missing: ['name'] })
    if (stored && patch.firstNumber !== undefined)
      throw invalid('first_number', 'invalid', {
        message: 'first_number can be set with a new issuer only: numbers must have no gap',
      })
    if (prefix !== undefined && !prefixPattern.test(prefix))
      throw invalid('prefix', 'invalid', {
        message: 'prefix can have up to 20 letters, digits, dots, hyphens and underscores',
      })
    const issuer: StoredIssuer = {
      code,
      name: name === undefined ? (stored?.name ?? '') : checkedLine('name', name),
      address: address ? checkedLines('address', address) : (stored?.address ?? []),
      tax_id: taxId === undefined ? (stored?.tax_id ?? null) : checkedOrNull('tax_id', taxId),
      payment: payment ? checkedLines('payment', payment) : (stored?.payment ?? []),
      prefix: prefix ?? stored?.prefix ?? 'INV-',
      last_number: stored?.last_number ?? firstNumberOf(patch) - 1,
    }
    if (issuer.prefix !== stored?.prefix) await refuseUsedPrefix(tx, issuer)
    await saveIssuer(tx, issuer)
    return issuer
  })

interface RecipientPatch {
  /** Empty: the workspace's name. */
  readonly name?: string
  readonly address?: readonly string[]
  readonly taxId?: string
  readonly reference?: string
}

/** An empty name stands for the workspace's name, which can change. */
const unknownRecipient: RecipientParty = { name: '', address: [], taxId: null, reference: null }

/** With the workspace's name, until the operator has set another one. */
export async function recipientOf(db: Db, workspaceId: string): Promise<RecipientParty> {
  const stored = (await findRecipient(db, workspaceId)) ?? unknownRecipient
  return stored.name === ''
    ? { ...stored, name: orNotFound(await mailIdentityOf(db, workspaceId)).name }
    : stored
}

export async function changeRecipient(
  db: Db,
  workspaceId: string,
  { name, address, taxId, reference }: RecipientPatch,
): Promise<RecipientParty> {
  const stored = (await findRecipient(db, workspaceId)) ?? unknownRecipient
  const recipient: RecipientParty = {
    name: name === undefined ? stored.name : (checkedOrNull('name', name) ?? ''),
    address: address ? checkedLines('address', address) : stored.address,
    taxId: taxId === undefined ? stored.taxId : checkedOrNull('tax_id', taxId),
    reference: reference === undefined ? stored.reference : checkedOrNull('reference', reference),
  }
  await saveRecipient(db, workspaceId, recipient)
  return recipientOf(db, workspaceId)
}
