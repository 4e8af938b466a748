import { Type } from 'typebox'
import { created, dataOf, noContent, ok, type Route, route } from '#kernel/api/routes.ts'
import { Nullable, Timestamp, Uuid } from '#kernel/api/validation.ts'
import { NamedObject } from '#kernel/base/closed.ts'
import { createToken, listTokens, revokeToken, type TokenDeps } from './rules.ts'

const fields = {
  id: Uuid(),
  number: Type.Integer({
    description: 'Counts the tokens of the integration; it is the last part of the version of the manifest.',
  }),
  manifest_url: Type.String({ description: 'The XML manifest, for all clients. It contains the token.' }),
  manifest_json_url: Type.String({ description: 'The unified manifest in JSON, without Mac and phones.' }),
  created_at: Timestamp(),
  last_used_at: Nullable<string>(
    Timestamp({ description: 'When an Outlook last asked with this token, to the hour.' }),
  ),
}

const DeploymentToken = NamedObject('DeploymentToken', fields)

const CreatedDeploymentToken = NamedObject('CreatedDeploymentToken', {
  ...fields,
  deployment_token: Type.String({ description: 'Shown this once.' }),
})

/** `onChange` runs after a token was made or revoked in this process. */
export const tokenRoutes = (deps: TokenDeps, onChange: () => void): readonly Route[] => [
  route({
    name: 'deploymentTokens.list',
    method: 'GET',
    path: '/v1/integrations/{id}/deployment_tokens',
    access: 'integrations:write',
    summary: 'List the tokens of an Outlook add-in, with the addresses of its manifests',
    description:
      'The tokens of an integration of kind `microsoft_365` that is a channel: one, or two while a token is replaced. The addresses of the manifests contain the token, so this needs the scope for changes. `last_used_at` tells whether Outlooks still use an old token. For owners and admins.',
    answers: { 200: dataOf(Type.Array(DeploymentToken)) },
    handle: async ({ db, by, params }) => ok(await listTokens(db, by.workspaceId, params.id, deps)),
  }),
  route({
    name: 'deploymentTokens.create',
    method: 'POST',
    path: '/v1/integrations/{id}/deployment_tokens',
    access: 'integrations:write',
    summary: 'Make a second token, to replace the first one',
    description:
      'Makes another token. Both work until one is revoked: upload the new manifest in the Microsoft 365 admin centre, wait until all Outlooks have it, which takes up to three days, and then revoke the old token. The new manifest has a higher version and the same id. An integration has at most two tokens. For owners and admins.',
    secret: true,
    errors: ['too_many'],
    answers: { 201: dataOf(CreatedDeploymentToken) },
    async handle({ db, by, params }) {
      const token = await createToken(db, by, params.id, deps)
      onChange()
      return created(token, `/v1/integrations/${params.id}/deployment_tokens`)
    },
  }),
  route({
    name: 'deploymentTokens.delete',
    method: 'DELETE',
    path: '/v1/integrations/{id}/deployment_tokens/{token_id}',
    access: 'integrations:write',
    summary: 'Revoke a token',
    description:
      'Revokes a token: add-ins that were deployed with its manifest get no signatures any more, within five seconds, and leave mails alone. Revoke the last token to stop the add-in at once for everybody; make a new one to start again.',
    answers: { 204: null },
    async handle({ db, by, params }) {
      await revokeToken(db, by, params.id, params.token_id)
      onChange()
      return noContent()
    },
  }),
]
