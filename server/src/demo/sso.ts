// An identity provider of the demo. It is switched off: its address does not exist.
import { createConnection, listConnections } from '#features/access/sso/index.ts'
import type { Caller } from '#kernel/api/scopes.ts'
import type { Db } from '#kernel/db/db.ts'
import type { Parts } from '#parts.ts'

/** Idempotent. */
export async function fillSso(db: Db, by: Caller, { sso }: Parts): Promise<void> {
  const { pagination } = await listConnections(db, by.workspaceId, sso.publicUrl, { page: 1, limit: 1 })
  if (pagination.total_count > 0) return
  const connection = {
    kind: 'oidc' as const,
    name: 'Northbean login',
    active: false,
    issuer: 'https://login.northbean.example',
    client_id: 'signoff',
    allowed_domains: ['northbean.example'],
    group_claim: 'groups',
    group_roles: [{ group: 'signoff-admins', role: 'admin' as const }],
    just_in_time: true,
  }
  await createConnection(db, by, connection, undefined, sso)
}
