// An identity provider: sends users and groups as Okta and Entra do.
import { findMember } from '#features/workspace/accounts/index.ts'
import { createKey } from '#features/workspace/api-keys/index.ts'
import { smartFieldsOf } from '#features/workspace/smart-fields/index.ts'
import type { Answer, RequestOptions, TestApp, TestWorkspace } from '../app.ts'

export const userSchema = 'urn:ietf:params:scim:schemas:core:2.0:User'
export const groupSchema = 'urn:ietf:params:scim:schemas:core:2.0:Group'
export const enterpriseSchema = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'

export interface ScimProvider {
  readonly integrationId: string
  readonly key: string
  get(path: string, sent?: RequestOptions): Promise<Answer>
  post(path: string, body: unknown, sent?: RequestOptions): Promise<Answer>
  put(path: string, body: unknown): Promise<Answer>
  /** The operations of a PATCH. */
  patch(path: string, ...operations: readonly unknown[]): Promise<Answer>
  del(path: string): Promise<Answer>
}

const mapping = {
  first_name: 'name.givenName',
  last_name: 'name.familyName',
  job_title: 'title',
  department: 'enterprise.department',
  work_phone: 'phoneNumbers.work',
}

/** Connects SCIM, makes a key, and maps some smart fields. */
export async function connectScim(
  app: TestApp,
  workspace: TestWorkspace = app,
  settings: object = {},
): Promise<ScimProvider> {
  const { body } = await app.post('/v1/integrations', { kind: 'scim', settings }, { key: workspace.key })
  const integrationId: string = body.data.id
  for (const field of await smartFieldsOf(app.db, workspace.id)) {
    const attribute = mapping[field.key as keyof typeof mapping]
    const patch = { integration_id: integrationId, integration_attribute: attribute }
    if (attribute) await app.patch(`/v1/smart_fields/${field.id}`, patch, { key: workspace.key })
  }
  const owner = await findMember(app.db, workspace.id)
  const { key } = await createKey(app.db, workspace.by, String(owner?.id), {
    name: 'SCIM',
    scopes: ['scim:write'],
  })
  const send = (method: string, path: string, sent: RequestOptions = {}) =>
    app.call(method, `/scim/v2${path}`, {
      key,
      ...sent,
      ...(sent.body !== undefined && {
        headers: { 'content-type': 'application/scim+json', ...sent.headers },
      }),
    })
  return {
    integrationId,
    key,
    get: (path, sent) => send('GET', path, sent),
    post: (path, body, sent) => send('POST', path, { body, ...sent }),
    put: (path, body) => send('PUT', path, { body }),
    patch: (path, ...operations) =>
      send('PATCH', path, {
        body: { schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'], Operations: operations },
      }),
    del: path => send('DELETE', path),
  }
}

/** A user as Okta creates it. */
export const oktaUser = (name: string, more: object = {}) => ({
  schemas: [userSchema],
  userName: `${name}@example.com`,
  name: { givenName: name, familyName: 'Example' },
  emails: [{ primary: true, value: `${name}@example.com`, type: 'work' }],
  displayName: `${name} Example`,
  locale: 'en-US',
  externalId: `00u${name}`,
  groups: [],
  password: '1mz050nq',
  active: true,
  ...more,
})

/** A user as Entra creates it. */
export const entraUser = (name: string, more: object = {}) => ({
  schemas: [userSchema, enterpriseSchema],
  externalId: `entra-${name}`,
  userName: `${name}@contoso.example.com`,
  active: true,
  displayName: name,
  emails: [{ primary: true, type: 'work', value: `${name}@contoso.example.com` }],
  meta: { resourceType: 'User' },
  name: { formatted: name, familyName: 'Familie', givenName: name },
  roles: [],
  ...more,
})
