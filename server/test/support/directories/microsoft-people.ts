// Builds the people of the fake Entra, and connects the app to it.
import { randomUUID } from 'node:crypto'
import { createIntegration } from '#features/workspace/integrations/index.ts'
import type { TestApp } from '../app.ts'
import { mapFields } from './directory-state.ts'
import type { Microsoft } from './microsoft.ts'
import type { EntraGroup, EntraUser } from './microsoft-directory.ts'

export function addEntraUser(
  { directory }: Microsoft,
  name: string,
  more: Partial<Omit<EntraUser, 'values'>> = {},
  values: EntraUser['values'] = {},
): EntraUser {
  const user: EntraUser = {
    id: randomUUID(),
    primary: `${name}@example.com`,
    aliases: [],
    userType: 'Member',
    accountEnabled: true,
    values: {
      givenName: name,
      surname: 'Example',
      jobTitle: 'Engineer',
      department: 'Engineering',
      businessPhones: ['+49 30 123456'],
      ...values,
    },
    photo: null,
    ...more,
  }
  directory.users.set(user.id, user)
  return user
}

export function addEntraGroup({ directory }: Microsoft, displayName: string, members: Iterable<string> = []) {
  const group: EntraGroup = { id: randomUUID(), displayName, members: new Set(members) }
  directory.groups.set(group.id, group)
  return group
}

/** The usual mapping of smart fields. */
const mapping = {
  first_name: 'givenName',
  last_name: 'surname',
  job_title: 'jobTitle',
  department: 'department',
  work_phone: 'businessPhones',
}

/** Connects the directory by a certificate, by the rules of the command line, and maps smart fields. Returns the id. */
export async function connectMicrosoft(
  app: TestApp,
  microsoft: Microsoft,
  settings: object = {},
): Promise<string> {
  const { api, tenant, clientId, certificate, privateKey } = microsoft
  const { id } = await createIntegration(
    app.db,
    app.by,
    {
      kind: 'microsoft_365',
      settings: { tenant, client_id: clientId, graph_api: api, login_api: api, ...settings },
      secret: { certificate, private_key: privateKey },
    },
    app.parts.integrations,
  )
  await mapFields(app, id, mapping)
  return id
}
