// Builds the people of the fake Google, and connects the app to it.
import { createIntegration } from '#features/workspace/integrations/index.ts'
import type { TestApp } from '../app.ts'
import { runAllJobs } from '../jobs.ts'
import { mapFields } from './directory-state.ts'
import { type Google, startGoogle } from './google.ts'
import { directoryScopeNames, type FakeUser } from './google-directory.ts'

export const adminAddress = 'admin@example.com'

export async function startDirectory(): Promise<Google> {
  const google = await startGoogle()
  google.directory.admins.add(adminAddress)
  for (const scope of directoryScopeNames) google.delegated.add(scope)
  google.directory.units.set('id:root', { id: 'id:root', path: '/', parentId: null })
  return google
}

let nextId = 100_000

export function addUser(google: Google, name: string, more: Partial<FakeUser> = {}): FakeUser {
  const id = String(++nextId)
  const user: FakeUser = {
    id,
    primaryEmail: `${name}@example.com`,
    name: { givenName: name, familyName: 'Example', fullName: `${name} Example` },
    aliases: [],
    suspended: false,
    orgUnitPath: '/',
    title: 'Engineer',
    department: 'Engineering',
    workPhone: '+49 30 123456',
    pronouns: null,
    photo: null,
    photoEtag: null,
    ...more,
  }
  google.directory.users.set(id, user)
  return user
}

/** The usual mapping of smart fields. */
const mapping = {
  first_name: 'name.givenName',
  last_name: 'name.familyName',
  job_title: 'organizations.title',
  department: 'organizations.department',
  work_phone: 'phones.work',
}

/** Connects the directory by the rules of the command line, and maps smart fields. Returns the id. */
export async function connectGoogle(app: TestApp, google: Google, settings: object = {}): Promise<string> {
  const { id } = await createIntegration(
    app.db,
    app.by,
    {
      kind: 'google_workspace',
      capabilities: ['directory'],
      settings: {
        admin: adminAddress,
        api: google.api,
        directory_api: google.api,
        token_uri: google.tokenUri,
        ...settings,
      },
      secret: { service_account_key: google.keyFile },
    },
    app.parts.integrations,
  )
  await mapFields(app, id, mapping)
  return id
}

/** Reads the directory now. Returns the run. */
export async function syncNow(app: TestApp, body: object = {}) {
  const started = await app.post('/v1/teammates/sync', body)
  if (started.status !== 202) throw new Error(started.text)
  await runAllJobs(app)
  return (await app.get(`/v1/sync_runs/${started.body.data.id}`)).body.data
}
