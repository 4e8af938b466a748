import { Type } from 'typebox'
import { pageOf, pageQuery } from '#kernel/api/pagination.ts'
import { type Answer, dataOf, list, ok, type Route, route } from '#kernel/api/routes.ts'
import { orNotFound } from '#kernel/base/errors.ts'
import { type DocumentStore, readKeptFile } from './files.ts'
import { findDocument, findDocumentFile, listDocuments } from './queries.ts'
import { FinancialDocument } from './schemas.ts'

/** A document instead of JSON. */
const Pdf = Type.Unsafe<never>({ type: 'string', contentMediaType: 'application/pdf' })

const pdf = (body: Buffer, filename: string): Answer => ({
  status: 200,
  body,
  headers: {
    'content-type': 'application/pdf',
    'content-disposition': `attachment; filename="${filename}"`,
    // A script inside a file from elsewhere must not run on this origin, whatever a browser takes the file for.
    'x-content-type-options': 'nosniff',
  },
})

interface BillingDeps {
  readonly publicUrl: string
  readonly store: DocumentStore
}

export const billingRoutes = ({ publicUrl, store }: BillingDeps): readonly Route[] => [
  route({
    name: 'financialDocuments.list',
    method: 'GET',
    path: '/v1/financial_documents',
    access: 'financial_documents:read',
    summary: 'List invoices',
    description:
      'The invoices and credit notes of the workspace, newest first, each with its amount, its period and links to its file and receipt. The amount of a credit note is negative. A workspace has none unless the operator of the service issues or imports them.',
    query: Type.Object(pageQuery),
    answers: { 200: pageOf(FinancialDocument) },
    handle: async ({ db, by, query }) =>
      list(await listDocuments(db, { workspaceId: by.workspaceId, publicUrl }, query)),
  }),
  route({
    name: 'financialDocuments.get',
    method: 'GET',
    path: '/v1/financial_documents/{id}',
    access: 'financial_documents:read',
    summary: 'Read an invoice',
    description:
      'One invoice with its number, its amount in cents, the period that it covers, and links to its file and its receipt. `file.url` is `GET /v1/financial_documents/{id}/file`, unless another system keeps the file. Invoices are read only and never change: the operator cancels one by a credit note.',
    answers: { 200: dataOf(FinancialDocument) },
    handle: async ({ db, by, params }) =>
      ok(orNotFound(await findDocument(db, { workspaceId: by.workspaceId, publicUrl }, params.id))),
  }),
  route({
    name: 'financialDocuments.file',
    method: 'GET',
    path: '/v1/financial_documents/{id}/file',
    access: 'financial_documents:read',
    summary: 'Download the file of an invoice',
    description:
      'The PDF of an invoice or credit note, as it was issued or imported. The file never changes. Invoices that the operator of this service issues are PDF/A-3, for archives. The answer is 404 for a document without a file here: `file` of the document is null then, or its `url` leads to another system.',
    answers: { 200: Pdf },
    async handle({ db, by, params }) {
      const { file, sha256 } = orNotFound(await findDocumentFile(db, by.workspaceId, params.id))
      return pdf(await readKeptFile(store, by.workspaceId, sha256), file.filename)
    },
  }),
]
