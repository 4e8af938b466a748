// Documents of another system. Each is stored by itself, with its file, and once: the import can be repeated at any time.

import type { Caller } from '#kernel/api/scopes.ts'
import { rowAt } from '#kernel/base/ids.ts'
import type { Db } from '#kernel/db/db.ts'
import { type DocumentStore, filenameOf, keepFile } from '../files.ts'
import { type FoundDocument, findByNumber, insertDocument } from '../queries.ts'

interface ImportedDocument {
  readonly kind: 'invoice' | 'credit_note'
  readonly number: string | null
  readonly status: string
  readonly total: number
  readonly currency: string
  /** True if the total is in hundredths of the currency. */
  readonly isInCents: boolean
  readonly createdAt: Date
  readonly dueAt: Date | null
  readonly periodStart: Date | null
  readonly periodEnd: Date | null
  readonly pageUrl: string | null
  readonly fileUrl: string | null
}

/** It is listed as failed. */
interface UnreadableDocument {
  readonly number: string
  readonly problem: string
}

interface ImportDocumentDeps {
  readonly store: DocumentStore
  /** Throws with the reason when the file cannot be had. */
  readonly fetchFile: (url: string) => Promise<Buffer>
}

export interface ImportOutcome {
  imported: number
  /** They were here already. */
  existing: number
  /** Drafts and void documents. */
  leftOut: number
  /** Void now, and imported before that: documents here never change. */
  readonly voided: string[]
  readonly failed: { readonly number: string; readonly reason: string }[]
}

const longestNumber = 100
/** The largest number that the column holds. */
const mostTotal = 2_147_483_647

const problemOf = ({ number, total, currency, isInCents, fileUrl }: ImportedDocument): string | undefined => {
  if (number === null || number.length > longestNumber || /\p{C}/u.test(number))
    return 'its number is not usable'
  if (!isInCents) return `its currency, ${currency}, does not have two digits after the point`
  // Stored without its file, it would never get it: documents do not change.
  if (fileUrl === null) return 'it has no file yet'
  return Math.abs(total) > mostTotal ? 'its total is too large' : undefined
}

/** Two accounts of Stripe can give the same number. The moment of its creation does not change. */
const isSame = (stored: FoundDocument, { kind, createdAt }: ImportedDocument): boolean =>
  stored.kind === kind && stored.created_at.getTime() === createdAt.getTime()

/** Only addresses that a browser opens as a page. */
const pageOf = (url: string | null): string | null =>
  url !== null && url.length <= 2_000 && URL.canParse(url) && new URL(url).protocol === 'https:' ? url : null

async function importDocument(
  db: Db,
  by: Caller,
  document: ImportedDocument & { readonly number: string; readonly fileUrl: string },
  { store, fetchFile }: ImportDocumentDeps,
): Promise<boolean> {
  const { kind, number, total, fileUrl } = document
  const storedFile = await keepFile(store, by.workspaceId, filenameOf(kind, number), await fetchFile(fileUrl))
  const inserted = await insertDocument(
    db,
    by,
    {
      source: 'stripe',
      kind,
      number,
      totalAmountCents: kind === 'credit_note' ? -total : total,
      currency: document.currency,
      processorReceiptUrl: pageOf(document.pageUrl),
      dueDate: document.dueAt,
      periodStart: document.periodStart,
      periodEnd: document.periodEnd,
      storedFile,
      issued: null,
      correctsId: null,
    },
    rowAt(document.createdAt),
  )
  return inserted !== undefined
}

export const emptyOutcome = (): ImportOutcome => ({
  imported: 0,
  existing: 0,
  leftOut: 0,
  voided: [],
  failed: [],
})

/**
 * A document whose file cannot be had is not stored: the next import tries it again. `outcome` is also right when
 * `documents` ends with an error.
 */
export async function importDocuments(
  db: Db,
  by: Caller,
  documents: AsyncIterable<ImportedDocument | UnreadableDocument>,
  deps: ImportDocumentDeps,
  outcome: ImportOutcome,
): Promise<void> {
  const fail = (number: string | null, reason: string) =>
    outcome.failed.push({ number: (number ?? '(none)').slice(0, longestNumber), reason })
  for await (const document of documents) {
    if ('problem' in document) {
      fail(document.number, document.problem)
      continue
    }
    const { number, status, fileUrl } = document
    const stored = number === null ? undefined : await findByNumber(db, by.workspaceId, 'stripe', number)
    if (status === 'draft' || status === 'void') {
      if (stored && number !== null) outcome.voided.push(number)
      else outcome.leftOut++
      continue
    }
    if (stored) {
      if (isSame(stored, document)) outcome.existing++
      else fail(number, 'another document with this number was imported before')
      continue
    }
    const problem = problemOf(document)
    if (number === null || fileUrl === null || problem !== undefined) {
      fail(number, problem ?? '')
      continue
    }
    try {
      const isNew = await importDocument(db, by, { ...document, number, fileUrl }, deps)
      if (isNew) outcome.imported++
      else outcome.existing++
    } catch (error) {
      if (!(error instanceof FileProblem)) throw error
      fail(number, error.message)
    }
  }
}

/** Thrown by `fetchFile`: the document is left out, and the others are imported. */
export class FileProblem extends Error {}
