// A directory with org units and groups that have members. It is only for display: it does not drive the teammates, so
// they can still be changed by hand, and it has no key, so it is never read.
import {
  addMembers,
  entitiesOf,
  hasIntegration,
  insertIntegration,
  type SavedEntity,
  saveEntities,
} from '#features/integrations/index.ts'
import { ownersOf } from '#features/teammates/index.ts'
import type { Db } from '#kernel/db.ts'
import type { Caller } from '#kernel/scopes.ts'
import { type DemoRow, demoMembers, departments } from './people.ts'

const name = 'Northbean Google Workspace'
const domain = 'northbean.example'

interface DemoEntity extends SavedEntity {
  /** The places of its people in the list. */
  readonly members: readonly number[]
}

function* demoEntities(): Generator<DemoEntity> {
  const { all, ofDepartment, heads, ofOffice } = demoMembers()
  const entity = (
    externalId: string,
    name: string,
    subKind: string,
    parent: string | null,
    members: number[],
  ) => ({
    externalId,
    name,
    subKind,
    parentExternalId: parent,
    members,
  })
  yield entity('id:root', '/', 'org_unit', null, all)
  for (const department of departments)
    yield entity(`id:${department}`, `/${department}`, 'org_unit', 'id:root', ofDepartment(department))
  yield entity('group:everyone', `everyone@${domain}`, 'group', null, all)
  yield entity('group:leads', `leads@${domain}`, 'group', null, heads)
  for (const office of ['London', 'Hamburg', 'Lisbon'])
    yield entity(`group:${office}`, `${office.toLowerCase()}@${domain}`, 'group', null, ofOffice(office))
}

/** Undefined when it is connected already. */
export async function connectDirectory(
  db: Db,
  by: Caller,
  rows: readonly DemoRow[],
): Promise<string | undefined> {
  if (await hasIntegration(db, by.workspaceId, name)) return undefined
  return db.transaction(async tx => {
    const id = await insertIntegration(tx, by, {
      kind: 'google_workspace',
      name,
      dashboardUrl: 'https://admin.google.com',
      drivesTeammates: false,
      capabilities: ['directory', 'channel'],
      settings: { admin: `it@${domain}`, drives_teammates: false },
    })
    const entities = [...demoEntities()]
    await saveEntities(tx, by.workspaceId, id, entities)
    const stored = new Map(
      (await entitiesOf(tx, by.workspaceId, id)).map(entity => [entity.external_id, entity.id]),
    )
    const owners = await ownersOf(
      tx,
      by.workspaceId,
      rows.map(({ email }) => email),
    )
    for (const { externalId, members } of entities) {
      const ids = members.flatMap(n => owners.get(rows[n]?.email ?? '') ?? [])
      await addMembers(tx, by.workspaceId, stored.get(externalId) ?? '', ids)
    }
    return id
  })
}
