// What the dashboard shows in its benchmark: the demo, and a workspace with many people.

import { readConfig } from '#config.ts'
import { fillDemo } from '#demo/index.ts'
import { hashPassword } from '#features/access/access/index.ts'
import { findAccountByEmail, markVerified, updatePasswordHash } from '#features/workspace/accounts/index.ts'
import { smartFieldsOf } from '#features/workspace/smart-fields/index.ts'
import { createWorkspace } from '#features/workspace/workspaces/index.ts'
import { operator } from '#kernel/api/scopes.ts'
import { type Pool, sql } from '#kernel/db/db.ts'
import { buildParts } from '#parts.ts'
import type { Fixture } from './bench.ts'

const password = 'seven green bicycles'
const manyEmail = 'many@example.com'

async function letSignIn(db: Pool, email: string): Promise<void> {
  const account = await findAccountByEmail(db, email)
  if (!account) throw new Error(`no account has the address ${email}`)
  await updatePasswordHash(db, account.id, await hashPassword(password))
  await db.query(markVerified(account.id))
}

/** By SQL and without triggers, because the API would take minutes. Each person has three values. */
async function insertPeople(db: Pool, workspaceId: string, count: number): Promise<void> {
  const keys = ['first_name', 'last_name', 'job_title']
  const fields = await smartFieldsOf(db, workspaceId)
  const fieldIds = keys.map(key => fields.find(field => field.key === key)?.id ?? null)
  const ids = sql`('018f0000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid`
  const address = sql`'person' || lpad(n::text, 6, '0') || '@example.com'`
  const people = sql`from generate_series(0, ${count - 1}::int) n`
  const kinds = ['teammates.manual', 'seats', 'emails']
  await db.transaction(async tx => {
    await tx.query(sql`set local session_replication_role = replica`)
    await tx.query(sql`set local statement_timeout = 0`)
    await tx.query(sql`
      insert into teammates (workspace_id, id, source, name_key, created_at, updated_at)
      select ${workspaceId}::uuid, ${ids}, 'manual', 'person no' || lpad(n::text, 6, '0'), now(), now() ${people}`)
    await tx.query(sql`
      insert into emails (workspace_id, id, teammate_id, address, address_key, is_primary, created_at, updated_at)
      select ${workspaceId}::uuid, ${ids}, ${ids}, ${address}, ${address}, true, now(), now() ${people}`)
    await tx.query(sql`
      insert into smart_field_values (workspace_id, teammate_id, smart_field_id, value, value_key)
      select ${workspaceId}::uuid, ${ids}, field, value, lower(value)
      ${people}, unnest(${fieldIds}::uuid[], array['Person', 'No' || lpad(n::text, 6, '0'), 'Clerk ' || n % 50])
        as v (field, value)`)
    await tx.query(sql`
      insert into tallies (workspace_id, kind, n)
      select ${workspaceId}::uuid, kind, ${count}::bigint from unnest(${kinds}::text[]) kind`)
  })
}

/** The addresses of the owners who sign in. */
export interface WebOwners {
  readonly demo: string
  readonly many: string
}

export async function fillForWeb({ db, dataDir, workspaceId }: Fixture, people: number): Promise<WebOwners> {
  const owner = { ownerName: 'Many', ownerEmail: manyEmail }
  const many = await createWorkspace(db, { name: 'Many', ...owner })
  await insertPeople(db, many.id, people)
  await fillDemo(db, operator(workspaceId), buildParts(readConfig({ SIGNOFF_DATA_DIR: dataDir })))
  await letSignIn(db, 'bench@example.com')
  await letSignIn(db, manyEmail)
  await db.query(sql`analyze`)
  return { demo: 'bench@example.com', many: manyEmail }
}

/** Signs in as a browser does, and returns the value of the cookie. */
export async function signInToWeb(url: string, email: string): Promise<string> {
  const response = await fetch(`${url}/auth/password`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: url },
    body: JSON.stringify({ email, password }),
  })
  const value = /^signoff=([^;]+)/.exec(response.headers.getSetCookie()[0] ?? '')?.[1]
  if (value === undefined) throw new Error(`the sign-in was answered with ${response.status}`)
  return value
}
