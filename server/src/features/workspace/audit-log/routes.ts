import { Type } from 'typebox'
import { pageOf, pageQuery } from '#kernel/api/pagination.ts'
import { list, type Route, route } from '#kernel/api/routes.ts'
import { sortQuery } from '#kernel/api/sorting.ts'
import { entryFilterQuery, entryFiltersOf } from './filters.ts'
import { entrySorts, listEntries } from './queries.ts'
import { AuditEntry } from './schemas.ts'

export const auditLogRoutes: readonly Route[] = [
  route({
    name: 'auditLog.list',
    method: 'GET',
    path: '/v1/audit_log',
    access: 'audit_log:read',
    summary: 'List what was changed, and by whom',
    description:
      'Every change in the workspace, newest first: who (member, key), what, which resource, when, and the id of the request. An entry is written in the same transaction as its change.',
    query: Type.Object({ ...pageQuery, ...entryFilterQuery, ...sortQuery(entrySorts) }),
    answers: { 200: pageOf(AuditEntry) },
    handle: async ({ db, by, query }) =>
      list(
        await listEntries(db, by.workspaceId, query, {
          ...entryFiltersOf(query),
          ...(query.sort !== undefined && { sort: query.sort }),
        }),
      ),
  }),
]
