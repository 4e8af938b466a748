// The migration that gives every member an account, on a database of the version before it.
import { randomUUID } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, inject, it } from 'vitest'
import { createLog } from '#kernel/base/log.ts'
import { openPool, type Pool, sql } from '#kernel/db/db.ts'
import { migrate } from '#kernel/db/migrate.ts'
import { afterFile } from './support/after-file.ts'
import { query, withDatabase } from './support/postgres/postgres.ts'

const folder = join(import.meta.dirname, '../migrations')
const accountsVersion = 26

/** A database as the version before the accounts left it. */
async function oldDatabase(): Promise<Pool> {
  const admin = inject('postgres')
  const name = `migration_${randomUUID().replaceAll('-', '')}`
  await query(admin, `create database ${name}`)
  const db = openPool({ connection: withDatabase(admin, name), size: 3, onError: () => undefined })
  afterFile(async () => {
    await db.end()
    await query(admin, `drop database if exists ${name} with (force)`)
  })
  await db.pg.query(
    'create table schema_migrations (version integer primary key, name text not null, applied_at timestamptz not null)',
  )
  for (const file of readdirSync(folder).sort()) {
    const version = Number.parseInt(file, 10)
    if (version >= accountsVersion) continue
    await db.pg.query(readFileSync(join(folder, file), 'utf8'))
    await db.query(
      sql`insert into schema_migrations (version, name, applied_at) values (${version}, ${file}, now())`,
    )
  }
  return db
}

async function insertOldWorkspace(db: Pool, members: readonly (readonly string[])[]): Promise<string> {
  const id = randomUUID()
  const now = new Date()
  await db.query(
    sql`insert into workspaces (id, name, tracking_id, created_at, updated_at) values (${id}, 'Old', ${randomUUID()}, ${now}, ${now})`,
  )
  for (const [role, email = '', name] of members)
    await db.query(sql`
      insert into members (workspace_id, id, name, email, email_key, role, created_at, updated_at)
      values (${id}, ${randomUUID()}, ${name}, ${email}, ${email.toLowerCase()}, ${role}, ${now}, ${now})`)
  return id
}

it('members that existed before accounts get one account for each address', async () => {
  const db = await oldDatabase()
  const first = await insertOldWorkspace(db, [
    ['owner', 'Ada@example.com', 'Ada'],
    ['admin', 'bo@example.com', 'Bo'],
  ])
  const second = await insertOldWorkspace(db, [
    ['owner', 'bo@example.com', 'Bo B.'],
    ['member', 'ada@example.com', 'Ada at the second'],
    ['member', 'cy@example.com', 'Cy'],
  ])
  const before = await db.query(sql`select workspace_id, id, name, email, role from members order by id`)
  const applied = await migrate(db.pg, createLog('silent'))
  expect(applied[0]).toBe('0026_accounts.sql')

  const after = await db.query(sql`select workspace_id, id, name, email, role from members order by id`)
  expect(after).toEqual(before)
  const accounts = await db.query<{ email_key: string; places: string[] }>(sql`
    select a.email_key, array_agg(m.workspace_id::text) as places
    from accounts a join members m on m.account_id = a.id and m.status = 'active' and a.password_hash is null
    group by a.id order by a.email_key`)
  expect(accounts.map(({ email_key, places }) => [email_key, places.sort()])).toEqual([
    ['ada@example.com', [first, second].sort()],
    ['bo@example.com', [first, second].sort()],
    ['cy@example.com', [second]],
  ])
})
