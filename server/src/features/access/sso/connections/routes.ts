import { type Static, Type } from 'typebox'
import { pageOf, pageQuery } from '#kernel/api/pagination.ts'
import {
  type Answer,
  created,
  dataOf,
  list,
  maybeWrappedBody,
  noContent,
  ok,
  type Route,
  route,
} from '#kernel/api/routes.ts'
import { orNotFound } from '#kernel/base/errors.ts'
import { checkConnection, recordCheck } from '../check/steps.ts'
import type { SsoDeps, SsoRouteDeps } from '../deps.ts'
import { type ConnectionView, findConnectionView, listConnections } from './queries.ts'
import {
  changeConnection,
  checkIsAdmin,
  createConnection,
  deleteConnection,
  findOwnConnection,
  loadMetadata,
} from './rules.ts'
import { SsoCheck, SsoConnection, SsoConnectionInput, SsoConnectionPatch } from './schemas.ts'

/** The properties that the ETag covers: not what sign-ins change by themselves. */
const versionOf = ({
  tested_at: _,
  last_sign_in_at: __,
  last_refusal: ___,
  ...rest
}: ConnectionView): object => rest

const answerOf = (connection: ConnectionView): Answer => ok(connection, versionOf(connection))

const path = '/v1/sso_connections'

const readRoutes = (deps: SsoDeps): readonly Route[] => [
  route({
    name: 'ssoConnections.list',
    method: 'GET',
    path,
    access: 'workspace:read',
    leastRole: 'admin',
    summary: 'List connections for single sign-on',
    description:
      'The identity providers of the workspace, the newest first, without their secrets: how they are reached, who is admitted with which role, and when a person last signed in or was refused. For owners and admins.',
    query: Type.Object(pageQuery),
    errors: ['insufficient_role'],
    answers: { 200: pageOf(SsoConnection) },
    async handle({ db, by, query }) {
      checkIsAdmin(by)
      return list(await listConnections(db, by.workspaceId, deps.publicUrl, query))
    },
  }),
  route({
    name: 'ssoConnections.get',
    method: 'GET',
    path: `${path}/{id}`,
    access: 'workspace:read',
    leastRole: 'admin',
    summary: 'Read a connection for single sign-on',
    description:
      'One identity provider of the workspace, without its secret. `callback_url` and `entity_id` are what its administrator must enter there. For owners and admins.',
    errors: ['insufficient_role'],
    answers: { 200: dataOf(SsoConnection) },
    async handle({ db, by, params }) {
      checkIsAdmin(by)
      return answerOf(orNotFound(await findConnectionView(db, by.workspaceId, params.id, deps.publicUrl)))
    },
  }),
]

const problems = ['invalid', 'missing', 'not_allowed'] as const

export const connectionRoutes = (deps: SsoRouteDeps): readonly Route[] => [
  ...readRoutes(deps),
  route({
    name: 'ssoConnections.create',
    method: 'POST',
    path,
    access: 'workspace:write',
    summary: 'Connect an identity provider',
    description:
      'Connects an identity provider by OpenID Connect or SAML 2.0. OIDC needs `issuer`, `client_id` and usually `client_secret`. SAML needs `metadata_url`, `metadata_xml`, or `issuer`, `sso_url` and `certificates`. Test it next, and then sign in through `sign_in_url`. For owners and admins; an API key needs all scopes of an admin, because a provider can name every member. The owner can sign in through a connection of the owner or the operator alone: see `owner_trusted`.',
    body: maybeWrappedBody('sso_connection', SsoConnectionInput),
    errors: [...problems, 'too_many', 'insufficient_role', 'insufficient_scope', 'own_sign_in_required'],
    answers: { 201: dataOf(SsoConnection) },
    prepare: ({ body }) => loadMetadata(body as Static<typeof SsoConnectionInput>, deps),
    async handle({ db, by, body, prepared }) {
      const view = await createConnection(db, by, body, prepared, deps)
      return created(view, `${path}/${view.id}`, versionOf(view))
    },
  }),
  route({
    name: 'ssoConnections.update',
    method: 'PATCH',
    path: `${path}/{id}`,
    access: 'workspace:write',
    summary: 'Change a connection for single sign-on',
    description:
      'Changes the named properties. Another issuer, client, address or set of certificates is another provider: sessions and links of members to it end, and members are linked again by their address. Such a change, and one that can refuse people who got in before, makes it a connection that is neither tested nor used. While the workspace insists on single sign-on, its only connection that works cannot be changed like that: 409 `last_way_in`. A change by another member than the owner of what decides which persons the provider can name closes the connection to the owner.',
    body: maybeWrappedBody('sso_connection', SsoConnectionPatch),
    errors: [...problems, 'last_way_in', 'insufficient_role', 'insufficient_scope', 'own_sign_in_required'],
    answers: { 200: dataOf(SsoConnection) },
    prepare: ({ body }) => loadMetadata(body as Static<typeof SsoConnectionPatch>, deps),
    async handle({ db, by, params, body, prepared }) {
      const view = await changeConnection(db, by, params.id, body, prepared, deps)
      deps.onSessionChange()
      return answerOf(view)
    },
  }),
  route({
    name: 'ssoConnections.test',
    method: 'POST',
    path: `${path}/{id}/test`,
    access: 'workspace:write',
    summary: 'Check a connection step by step',
    description:
      'Checks the connection without a sign-in: discovery, issuer, endpoints, keys, flow and client by OIDC; address, certificates and metadata by SAML. Each step says what it found, and what to do when it failed. A check without a failed step lets the workspace insist on single sign-on.',
    answers: { 200: dataOf(SsoCheck) },
    async prepare({ db, by, params }) {
      const connection = await findOwnConnection(db, by, params.id)
      return { connection, check: await checkConnection(connection, deps) }
    },
    handle: async ({ db, by, prepared: { connection, check } }) =>
      ok(await recordCheck(db, by, connection, check)),
  }),
  route({
    name: 'ssoConnections.delete',
    method: 'DELETE',
    path: `${path}/{id}`,
    access: 'workspace:write',
    summary: 'Remove a connection for single sign-on',
    description:
      'Removes the connection with its secret. Members stay; their sessions by single sign-on of this kind end. While the workspace insists on single sign-on, its only connection that works cannot be removed: 409 `last_way_in`. An API key needs all scopes of an admin.',
    errors: ['last_way_in', 'insufficient_role', 'insufficient_scope', 'own_sign_in_required'],
    answers: { 204: null },
    async handle({ db, by, params }) {
      await deleteConnection(db, by, params.id)
      deps.onSessionChange()
      return noContent()
    },
  }),
]
