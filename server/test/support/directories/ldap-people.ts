// Connects the app to an LDAP server by the rules of the command line, and maps smart fields.
import { createIntegration } from '#features/workspace/integrations/index.ts'
import type { TestApp } from '../app.ts'

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

export async function mapFields(
  app: TestApp,
  integrationId: string,
  fields: Readonly<Record<string, string>>,
): Promise<void> {
  const { body } = await app.get('/v1/smart_fields?limit=100')
  for (const [key, attribute] of Object.entries(fields)) {
    const field = body.data.find((one: { key: string }) => one.key === key)
    const patch = { integration_id: integrationId, integration_attribute: attribute }
    const answer = await app.patch(`/v1/smart_fields/${field.id}`, patch)
    if (answer.status !== 200) throw new Error(answer.text)
  }
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
