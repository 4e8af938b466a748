import { dataOf, maybeWrappedBody, ok, type Route, route } from '#kernel/api/routes.ts'
import type { SsoRouteDeps } from '../deps.ts'
import { changePolicy, readPolicy } from './rules.ts'
import { SignInPolicyPatch, WorkspaceSignInPolicy } from './schemas.ts'

export const policyRoutes = ({ onSessionChange }: SsoRouteDeps): readonly Route[] => [
  route({
    name: 'signInPolicy.get',
    method: 'GET',
    path: '/v1/workspace/sign_in_policy',
    access: 'workspace:read',
    leastRole: 'admin',
    summary: 'Read how members must sign in',
    description:
      'Whether members of the workspace must come by single sign-on, and whether they must give a second factor. For owners and admins. `updated_at` is null while nothing was ever set.',
    errors: ['insufficient_role'],
    answers: { 200: dataOf(WorkspaceSignInPolicy) },
    handle: async ({ db, by }) => ok(await readPolicy(db, by)),
  }),
  route({
    name: 'signInPolicy.update',
    method: 'PATCH',
    path: '/v1/workspace/sign_in_policy',
    access: 'workspace:write',
    summary: 'Change how members must sign in',
    description:
      'With `sso_required` a session that did not begin by single sign-on of this workspace gets 403 `sso_required` in it, at once. It needs a connection that was tested without a failure or has signed a member in: otherwise the answer is 409 `last_way_in`. API keys are not affected by the policy; one that changes it needs all scopes of an admin. The operator can let the owner in by `npx signoff accounts reset`.',
    body: maybeWrappedBody('sign_in_policy', SignInPolicyPatch),
    errors: ['last_way_in', 'insufficient_role', 'insufficient_scope', 'own_sign_in_required'],
    answers: { 200: dataOf(WorkspaceSignInPolicy) },
    async handle({ db, by, body }) {
      const policy = await changePolicy(db, by, body)
      onSessionChange()
      return ok(policy)
    },
  }),
]
