// A directory with org units, groups that have members, and the runs of some days. It does not drive the teammates, so
// they can still be changed by hand, and it has no key, so it is never read.
import {
  type DirectoryGroup,
  type DirectoryMembership,
  type DirectoryPerson,
  insertPastRuns,
  type PastRun,
  pushGroups,
  pushPeople,
} from '#features/people/directories/index.ts'
import { hasIntegration, insertIntegration } from '#features/workspace/integrations/index.ts'
import type { Caller } from '#kernel/api/scopes.ts'
import { day } from '#kernel/base/durations.ts'
import type { Db } from '#kernel/db/db.ts'
import type { Parts } from '#parts.ts'
import { type DemoRow, demoMembers, departments } from './people.ts'

const name = 'Northbean Google Workspace'
const domain = 'northbean.example'
const offices = ['London', 'Hamburg', 'Lisbon']

const personId = (n: number): string => `1100000000000000000${String(10 + n)}`

function demoPeople(rows: readonly DemoRow[]): DirectoryPerson[] {
  const { departmentOf, titleOf } = demoMembers()
  return rows.map(({ name, email }, n) => {
    const [givenName = '', familyName = ''] = name.split(' ')
    return {
      externalId: personId(n),
      primaryAddress: email,
      aliases: [],
      isActive: true,
      orgUnitId: `id:${departmentOf(n)}`,
      attributes: {
        'name.givenName': givenName,
        'name.familyName': familyName,
        'organizations.title': titleOf(n),
        'organizations.department': departmentOf(n),
        orgUnitPath: `/${departmentOf(n)}`,
      },
    }
  })
}

const unit = (id: string, path: string, parentId: string | null): DirectoryGroup => ({
  externalId: `id:${id}`,
  name: path,
  subKind: 'org_unit',
  parentId,
})

function demoGroups(): { groups: DirectoryGroup[]; memberships: DirectoryMembership[] } {
  const { all, heads, ofOffice } = demoMembers()
  const members: [group: string, people: readonly string[]][] = [
    ['leads', heads.map(personId)],
    ...offices.map((office): [string, string[]] => [office.toLowerCase(), ofOffice(office).map(personId)]),
    // Nested: the groups of the offices, and people without an office.
    ['everyone', [...offices.map(office => `group:${office.toLowerCase()}`), ...all.map(personId)]],
  ]
  return {
    groups: [
      unit('root', '/', null),
      ...departments.map(department => unit(department, `/${department}`, 'id:root')),
      ...members.map(([group]) => ({
        externalId: `group:${group}`,
        name: `${group}@${domain}`,
        subKind: 'group' as const,
      })),
    ],
    memberships: members.map(([group, add]) => ({
      group: `group:${group}`,
      add,
      remove: [],
      isComplete: true,
    })),
  }
}

const run = (daysAgo: number, counts: PastRun['counts'], more: Partial<PastRun> = {}): PastRun => ({
  at: new Date(Date.now() - daysAgo * day),
  status: 'succeeded',
  trigger: 'schedule',
  peopleSeen: 50,
  counts,
  ...more,
})

function demoRuns(rows: readonly DemoRow[]): PastRun[] {
  const problem = (n: number, kind: 'conflict' | 'unusable', field: string, message: string) => ({
    kind,
    external_id: personId(n),
    teammate_id: null,
    address: rows[n]?.email ?? null,
    integration_entity_id: null,
    field,
    message,
  })
  return [
    run(21, { people_added: 50, entities_added: 11 }, { trigger: 'request' }),
    run(14, { people_changed: 3 }),
    run(
      9,
      {},
      {
        status: 'failed',
        peopleSeen: 0,
        error: { code: 'unavailable', message: 'Google gave no full answer within 60 seconds.' },
      },
    ),
    run(
      6,
      { people_missing: 12 },
      {
        status: 'approved',
        peopleSeen: 38,
        peopleHeld: 12,
        heldReason:
          '12 of 50 people would leave: 12 are not in the directory any more, and 0 are suspended there.',
      },
    ),
    run(5, { people_changed: 12 }),
    run(
      1,
      { people_changed: 1, members_added: 2 },
      {
        problems: [
          problem(4, 'unusable', 'phones.work', '“n/a” is not a valid phone for Work phone.'),
          problem(17, 'conflict', 'address', `info@${domain} belongs to another person already.`),
        ],
      },
    ),
  ]
}

/** Undefined when it is connected already. */
export async function connectDirectory(
  db: Db,
  by: Caller,
  rows: readonly DemoRow[],
  { onPeopleChange }: Pick<Parts, 'onPeopleChange'>,
): Promise<string | undefined> {
  if (await hasIntegration(db, by.workspaceId, name)) return undefined
  return db.transaction(async tx => {
    const id = await insertIntegration(tx, by, {
      kind: 'google_workspace',
      name,
      dashboardUrl: 'https://admin.google.com',
      drivesTeammates: false,
      capabilities: ['directory', 'channel'],
      settings: { admin: `it@${domain}`, drives_teammates: false, sync_minutes: null },
    })
    await insertPastRuns(tx, { workspaceId: by.workspaceId, integrationId: id }, demoRuns(rows))
    await pushGroups(tx, by, id, demoGroups(), { onPeopleChange })
    await pushPeople(tx, by, id, demoPeople(rows), { onPeopleChange })
    return id
  })
}
