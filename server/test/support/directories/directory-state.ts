// What the service has of a directory, for tests that compare it with a model.
import { expect } from 'vitest'
import { sql } from '#kernel/db/db.ts'
import type { TestApp } from '../app.ts'

/** Chooses by numbers that fast-check makes. */
export class Chooser {
  readonly #numbers: readonly number[]
  #next = 0
  constructor(numbers: readonly number[]) {
    this.#numbers = numbers
  }
  below(limit: number): number {
    return (this.#numbers[this.#next++ % this.#numbers.length] ?? 0) % Math.max(limit, 1)
  }
  of<T>(list: readonly T[]): T | undefined {
    return list[this.below(list.length)]
  }
}

export interface DirectoryState {
  /** By primary address. */
  readonly people: Readonly<Record<string, object>>
  /** Primary addresses of members, by the name of the group. */
  readonly entities: Readonly<Record<string, readonly string[]>>
  /** Addresses by signature. */
  readonly recipients: Readonly<Record<string, readonly string[]>>
}

export async function directoryState(
  app: TestApp,
  signatureIds: Readonly<Record<string, string>>,
): Promise<DirectoryState> {
  const valueFor = (key: string) => sql`
    (select v.value from smart_field_values v join smart_fields f on f.workspace_id = v.workspace_id and f.id = v.smart_field_id
      where v.workspace_id = t.workspace_id and v.teammate_id = t.id and f.key = ${key})`
  const people = await app.db.query<{ address: string; row: object }>(sql`
    select e.address, json_build_object(
      'aliases', array(select a.address from emails a where a.workspace_id = t.workspace_id and a.teammate_id = t.id
        and not a.is_primary and a.deleted_at is null order by a.address collate "C"),
      'active', t.active, 'title', ${valueFor('job_title')}, 'department', ${valueFor('department')},
      'phone', ${valueFor('work_phone')}) as row
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
  const recipients: Record<string, string[]> = {}
  for (const [name, id] of Object.entries(signatureIds))
    recipients[name] = (
      await app.db.query<{ address: string }>(sql`
        select e.address from recipients r join emails e on e.workspace_id = r.workspace_id and e.id = r.email_id
        where r.workspace_id = ${app.id} and r.signature_id = ${id} order by e.address collate "C"`)
    ).map(({ address }) => address)
  return {
    people: Object.fromEntries(people.map(({ address, row }) => [address, row])),
    entities: Object.fromEntries(entities.map(({ name, members }) => [name, members])),
    recipients,
  }
}

/** Fills smart fields, by key, from attributes of the directory. */
export async function mapFields(
  app: TestApp,
  integrationId: string,
  fields: Readonly<Record<string, string>>,
): Promise<void> {
  const { body } = await app.get('/v1/smart_fields?limit=100')
  for (const [key, attribute] of Object.entries(fields)) {
    const field = body.data.find((field: { key: string }) => field.key === key)
    const patch = { integration_id: integrationId, integration_attribute: attribute }
    const answer = await app.patch(`/v1/smart_fields/${field.id}`, patch)
    if (answer.status !== 200) throw new Error(answer.text)
  }
}
