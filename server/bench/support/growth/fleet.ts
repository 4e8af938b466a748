// The workspaces of the growth bench: one large, some medium, many small, with people and published signatures.
import {
  type Connection,
  enqueueReconcileSignature,
  type PushChannels,
} from '#features/delivery/installations/index.ts'
import { changeRules } from '#features/signatures/recipients/index.ts'
import { createSignature, publishSignature } from '#features/signatures/signatures/index.ts'
import { insertIntegration } from '#features/workspace/integrations/index.ts'
import { smartFieldsOf } from '#features/workspace/smart-fields/index.ts'
import { createWorkspace } from '#features/workspace/workspaces/index.ts'
import { operator } from '#kernel/api/scopes.ts'
import { newRow } from '#kernel/base/ids.ts'
import { type Pool, sql } from '#kernel/db/db.ts'
import { contentWith, startInstalling } from '../../installations.bench.ts'
import { seed } from '../../teammates.bench.ts'

/** The whole: what the document reckons with. */
export const fullSize = { teammates: 1_000_000, events: 1_000_000_000 }

export interface FleetWorkspace {
  readonly id: string
  readonly key: string
  readonly teammates: number
  /** Published to all teammates. */
  readonly signatureId: string
}

/** A quarter of all people each: in one workspace, in workspaces of 500, of 100 and of 12. */
export function workspaceSizes(teammates: number): number[] {
  const quarter = Math.max(1, Math.round(teammates / 4))
  return [quarter, 500, 100, 12].flatMap(size => {
    const fitting = Math.min(size, quarter)
    return Array.from({ length: Math.max(1, Math.round(quarter / fitting)) }, () => fitting)
  })
}

const ids = (count: number): string[] => Array.from({ length: count }, () => newRow().id)

/**
 * Creates the workspaces, and the tables `growth_people` and `growth_workspaces`, which the events are drawn from. Of
 * the signatures that events name, the first one exists; campaigns are ids alone.
 */
export async function createFleet(db: Pool, teammates: number): Promise<FleetWorkspace[]> {
  await db.query(sql`
    create unlogged table growth_workspaces (workspace_id uuid primary key, signatures uuid[], campaigns uuid[])`)
  const fleet: Omit<FleetWorkspace, 'signatureId'>[] = []
  for (const [n, size] of workspaceSizes(teammates).entries()) {
    const owner = { ownerName: 'Bench', ownerEmail: `owner${n}@example.com` }
    const { id, key } = await createWorkspace(db, { name: `Workspace ${n}`, ...owner })
    await seed(db, id, size)
    fleet.push({ id, key, teammates: size })
  }
  await db.query(sql`vacuum analyze`)
  const signatures = await publishEverywhere(db, fleet)
  const signatureOf = (id: string) => signatures.get(id) ?? ''
  for (const { id, teammates: size } of fleet) {
    const templates = [signatureOf(id), ...ids(Math.min(39, Math.floor(size / 50)))]
    await db.query(sql`
      insert into growth_workspaces values (${id}, ${templates}::uuid[], ${ids(size < 100 ? 2 : 12)}::uuid[])`)
  }
  await db.query(sql`
    create unlogged table growth_people as
    select row_number() over (order by random())::int - 1 as n, workspace_id, teammate_id, id as email_id from emails`)
  await db.query(sql`alter table growth_people add primary key (n)`)
  await db.query(sql`analyze growth_people, growth_workspaces`)
  return fleet.map(workspace => ({ ...workspace, signatureId: signatureOf(workspace.id) }))
}

/** Publishes one signature to all people of each workspace. Answers the signature of each workspace. */
async function publishEverywhere(
  db: Pool,
  fleet: readonly { readonly id: string }[],
): Promise<Map<string, string>> {
  const connections = new Map<string, readonly Connection[]>()
  const signatures = new Map<string, string>()
  const channels: PushChannels = new Map([
    ['webhook', { name: 'webhook', atOnce: 8, deliver: async () => ({ ok: true }) }],
  ])
  const { untilDone, stop } = await startInstalling(db, id => connections.get(id) ?? [], channels)
  for (const { id: workspaceId } of fleet) {
    const by = operator(workspaceId)
    const webhook = { kind: 'webhook', name: 'Nowhere', dashboardUrl: null, drivesTeammates: false }
    const empty = { settings: {}, secret: null, workspaceId }
    connections.set(workspaceId, [
      { ...empty, channel: 'personal_page', mode: 'fetch', integrationId: null },
      { ...empty, channel: 'webhook', mode: 'push', integrationId: await insertIntegration(db, by, webhook) },
    ])
    const fields = new Map((await smartFieldsOf(db, workspaceId)).map(({ key, id }) => [key, id]))
    const id = (key: string) => fields.get(key) ?? ''
    const content = contentWith({
      first: id('first_name'),
      last: id('last_name'),
      title: id('job_title'),
      company: id('company'),
      phone: id('work_phone'),
      email: id('email'),
    })
    const onChange = async (tx: { query: Pool['query'] }, { signatureId }: { signatureId: string }) => {
      await tx.query(enqueueReconcileSignature(workspaceId, signatureId))
    }
    const signature = await createSignature(db, by, { name: 'All', draft_content: content as never })
    const conditions = [[{ smart_field_id: id('first_name'), operator: 'is_set' as const }]]
    await changeRules(db, by, signature.id, { conditions }, onChange)
    await publishSignature(db, by, signature.id, {
      publicUrl: 'https://signoff.example',
      tracking: null,
      onChange,
    })
    signatures.set(workspaceId, signature.id)
  }
  await untilDone()
  await stop()
  return signatures
}

export interface FleetPerson {
  readonly workspaceId: string
  readonly teammateId: string
  readonly emailId: string
}

/** People in turn by workspace: as many workspaces as possible before one repeats. */
export const peopleByTurns = (db: Pool, count: number): Promise<FleetPerson[]> =>
  db.query(sql`
    select workspace_id as "workspaceId", teammate_id as "teammateId", email_id as "emailId"
    from (select *, row_number() over (partition by workspace_id order by n) as turn from growth_people) p
    order by turn, n limit ${count}`)
