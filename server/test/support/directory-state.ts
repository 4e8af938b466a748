// Everything that a directory has written, by primary addresses: compared with what the test expects.
import { expect } from 'vitest'
import { sql } from '#kernel/db.ts'
import type { TestApp } from './app.ts'

export interface DirectoryState {
  readonly people: Readonly<Record<string, StatePerson>>
  /** Members by the names of groups and org units. */
  readonly entities: Readonly<Record<string, readonly string[]>>
  /** Addresses by signature. */
  readonly recipients: readonly (readonly string[])[]
}

export interface StatePerson {
  readonly aliases: readonly string[]
  readonly active: boolean
  readonly title: string | null
  readonly department: string | null
  readonly phone: string | null
}

async function recipientsOf(app: TestApp, signatureId: string): Promise<string[]> {
  const rows = await app.db.query<{ address: string }>(sql`
    select e.address from recipients r join emails e on e.workspace_id = r.workspace_id and e.id = r.email_id
    where r.workspace_id = ${app.id} and r.signature_id = ${signatureId} order by e.address collate "C"`)
  return rows.map(({ address }) => address)
}

export async function directoryState(app: TestApp, signatureIds: readonly string[]): Promise<DirectoryState> {
  const people = await app.db.query<{ address: string; row: StatePerson }>(sql`
    with fields as (
      select v.teammate_id, f.key, v.value from smart_field_values v join smart_fields f on f.id = v.smart_field_id)
    select e.address, json_build_object(
      'aliases', array(select a.address from emails a where a.workspace_id = t.workspace_id and a.teammate_id = t.id
        and not a.is_primary and a.deleted_at is null order by a.address collate "C"),
      'active', t.active,
      'title', (select value from fields where teammate_id = t.id and key = 'job_title'),
      'department', (select value from fields where teammate_id = t.id and key = 'department'),
      'phone', (select value from fields where teammate_id = t.id and key = 'work_phone')) as row
    from teammates t
    join emails e on e.workspace_id = t.workspace_id and e.teammate_id = t.id and e.is_primary and e.deleted_at is null
    where t.workspace_id = ${app.id} and t.deleted_at is null`)
  const entities = await app.db.query<{ name: string; count: number; members: string[] }>(sql`
    select n.name, n.teammates_count as count, array(
      select e.address from integration_entity_members m
      join emails e on e.workspace_id = m.workspace_id and e.teammate_id = m.teammate_id and e.is_primary
        and e.deleted_at is null
      where m.workspace_id = n.workspace_id and m.entity_id = n.id order by e.address collate "C") as members
    from integration_entities n where n.workspace_id = ${app.id} and not n.is_gone`)
  for (const { count, members } of entities) expect(count).toBe(members.length)
  return {
    people: Object.fromEntries(people.map(({ address, row }) => [address, row])),
    entities: Object.fromEntries(entities.map(({ name, members }) => [name, members])),
    recipients: await Promise.all(signatureIds.map(id => recipientsOf(app, id))),
  }
}
