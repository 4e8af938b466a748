import { Type } from 'typebox'
import { orNotFound } from '#kernel/errors.ts'
import { pageOf, pageQuery } from '#kernel/pagination.ts'
import { dataOf, list, ok, type Route, route } from '#kernel/routes.ts'
import { findDocument, listDocuments } from './queries.ts'
import { FinancialDocument } from './schemas.ts'

export const billingRoutes: readonly Route[] = [
  route({
    name: 'financialDocuments.list',
    method: 'GET',
    path: '/v1/financial_documents',
    access: 'financial_documents:read',
    summary: 'List invoices',
    description:
      'The invoices of the workspace, newest first, each with its amount, its period and links to its file and receipt. A self-hosted workspace usually has none.',
    query: Type.Object(pageQuery),
    answers: { 200: pageOf(FinancialDocument) },
    handle: async ({ db, by, query }) => list(await listDocuments(db, by.workspaceId, query)),
  }),
  route({
    name: 'financialDocuments.get',
    method: 'GET',
    path: '/v1/financial_documents/{id}',
    access: 'financial_documents:read',
    summary: 'Read an invoice',
    description:
      'One invoice with its number, its amount in cents, the period that it covers, and links to its file and its receipt. Invoices are read only; a self-hosted workspace usually has none.',
    answers: { 200: dataOf(FinancialDocument) },
    handle: async ({ db, by, params }) => ok(orNotFound(await findDocument(db, by.workspaceId, params.id))),
  }),
]
