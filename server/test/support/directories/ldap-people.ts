// Connects the app to an LDAP server by the rules of the command line, and maps smart fields.
import { createIntegration } from '#features/workspace/integrations/index.ts'
import type { TestApp } from '../app.ts'
import { mapFields } from './directory-state.ts'

const mapping = {
  first_name: 'givenName',
  last_name: 'sn',
  job_title: 'title',
  department: 'departmentNumber',
  work_phone: 'telephoneNumber',
}

export interface LdapConnection {
  readonly settings: object
  readonly password?: string
  /** Smart fields by the attributes of the directory. */
  readonly mapping?: Readonly<Record<string, string>>
}

/** Returns the id. */
export async function connectLdap(app: TestApp, connection: LdapConnection): Promise<string> {
  const { id } = await createIntegration(
    app.db,
    app.by,
    {
      kind: 'ldap',
      settings: { ...connection.settings },
      secret: { password: connection.password ?? '' },
    },
    app.parts.integrations,
  )
  await mapFields(app, id, connection.mapping ?? mapping)
  return id
}
