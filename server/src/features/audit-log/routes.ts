import { Type } from 'typebox'
import { pageOf, pageQuery } from '#kernel/pagination.ts'
import { list, type Route, route } from '#kernel/routes.ts'
import { Uuid } from '#kernel/validation.ts'
import { listEntries } from './queries.ts'
import { AuditEntry } from './schemas.ts'

export const auditLogRoutes: readonly Route[] = [
  route({
    name: 'auditLog.list',
    method: 'GET',
    path: '/v1/audit_log',
    access: 'audit_log:read',
    summary: 'List what was changed, and by whom',
    query: Type.Object({
      ...pageQuery,
      resource_id: Type.Optional(Uuid({ description: 'Only the entries about this resource.' })),
    }),
    answers: { 200: pageOf(AuditEntry) },
    handle: async ({ db, by, query }) =>
      list(await listEntries(db, by.workspaceId, query, query.resource_id)),
  }),
]
