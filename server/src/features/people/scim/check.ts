// What an admin can see of a SCIM integration: it has no runs, so its problems are listed when it is tested.

import { countProblems, currentProblems, type DirectoryRef } from '#features/people/directories/index.ts'
import { keysOf } from '#features/workspace/api-keys/index.ts'
import type { TestStep } from '#features/workspace/integrations/index.ts'
import { allows } from '#kernel/api/scopes.ts'
import type { Db } from '#kernel/db/db.ts'
import { groupsWithUnknownMembers } from './groups/queries.ts'

const listed = 20

export const scimKeyHint =
  'Make an API key with the scope `scim:write`, by `POST /v1/api_keys` or in the dashboard under API keys, and paste it at the identity provider as the bearer token. It can be replaced at any time.'

const step = (name: string, message: string, remedy: string | null): TestStep => ({
  name,
  ok: remedy === null,
  message,
  remedy,
})

async function keyStep(db: Db, workspaceId: string): Promise<TestStep> {
  const keys = (await keysOf(db, workspaceId)).filter(
    ({ scopes, expires_at }) =>
      allows(scopes, 'scim:write') && (expires_at === null || new Date(expires_at) > new Date()),
  )
  if (keys.length === 0) return step('key', 'No API key has the scope scim:write.', scimKeyHint)
  const names = keys.slice(0, listed).map(({ name }) => `“${name}”`)
  return step('key', `Requests can be made with ${names.join(', ')}.`, null)
}

async function peopleStep(db: Db, directory: DirectoryRef): Promise<TestStep> {
  const count = await countProblems(db, directory)
  if (count === 0) return step('people', 'All values of all people could be used.', null)
  const problems = await currentProblems(db, directory, listed)
  const lines = problems.map(({ address, field, message }) => `${address}, ${field}: ${message}`)
  return step('people', `${count} problems. ${lines.join(' ')}`, 'Correct them at the identity provider.')
}

async function membersStep(db: Db, scope: DirectoryRef): Promise<TestStep> {
  const groups = await groupsWithUnknownMembers(db, scope, listed)
  if (groups.length === 0) return step('members', 'All members of groups are known.', null)
  const lines = groups.map(
    ({ name, unknown_members: ids }) => `“${name}”: ${ids.length} (${ids.slice(0, 3).join(', ')})`,
  )
  return step(
    'members',
    `Some members of groups were never sent as users, and are left out: ${lines.join('; ')}.`,
    'Assign these people to the application at the identity provider too.',
  )
}

export const checkScim = async (
  db: Db,
  scope: DirectoryRef,
  baseUrl: string,
): Promise<readonly TestStep[]> => [
  step(
    'base_url',
    `The identity provider sends users and groups to ${baseUrl}.`,
    baseUrl.startsWith('https:')
      ? null
      : 'Identity providers need an https address that they can reach: set SIGNOFF_PUBLIC_URL.',
  ),
  await keyStep(db, scope.workspaceId),
  await peopleStep(db, scope),
  await membersStep(db, scope),
]
