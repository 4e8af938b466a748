import { type Static, Type } from 'typebox'
import { orNotFound } from '#kernel/errors.ts'
import { pageOf, pageQuery } from '#kernel/pagination.ts'
import { created, dataOf, list, maybeWrappedBody, noContent, ok, type Route, route } from '#kernel/routes.ts'
import { checkConnection } from '../check/steps.ts'
import type { SsoDeps } from '../deps.ts'
import { type ConnectionView, findConnectionView, listConnections, storeCheck } from './queries.ts'
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
      const found = orNotFound(await findConnectionView(db, by.workspaceId, params.id, deps.publicUrl))
      return ok(found, versionOf(found))
    },
  }),
]

const problems = ['invalid', 'missing', 'not_allowed'] as const

export const connectionRoutes = (deps: SsoDeps): readonly Route[] => [
  ...readRoutes(deps),
  route({
    name: 'ssoConnections.create',
    method: 'POST',
    path,
    access: 'workspace:write',
    summary: 'Connect an identity provider',
    description:
      'Connects an identity provider by OpenID Connect or SAML 2.0. OIDC needs `issuer`, `client_id` and usually `client_secret`. SAML needs `metadata_url`, `metadata_xml`, or `issuer`, `sso_url` and `certificates`. Test it next, and then sign in through `sign_in_url`. For owners and admins.',
    body: maybeWrappedBody('sso_connection', SsoConnectionInput),
    errors: [...problems, 'too_many'],
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
      'Changes the named properties. Another issuer, client or address makes it a connection that is neither tested nor used. While the workspace insists on single sign-on, its only connection that works cannot be changed like that: 409 `last_way_in`.',
    body: maybeWrappedBody('sso_connection', SsoConnectionPatch),
    errors: [...problems, 'last_way_in'],
    answers: { 200: dataOf(SsoConnection) },
    prepare: ({ body }) => loadMetadata(body as Static<typeof SsoConnectionPatch>, deps),
    async handle({ db, by, params, body, prepared }) {
      const view = await changeConnection(db, by, params.id, body, prepared, deps)
      return ok(view, versionOf(view))
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
    prepare: async ({ db, by, params }) => checkConnection(await findOwnConnection(db, by, params.id), deps),
    async handle({ db, by, params, prepared }) {
      await storeCheck(db, by, params.id, prepared.ok)
      return ok(prepared)
    },
  }),
  route({
    name: 'ssoConnections.delete',
    method: 'DELETE',
    path: `${path}/{id}`,
    access: 'workspace:write',
    summary: 'Remove a connection for single sign-on',
    description:
      'Removes the connection with its secret. Members stay, and the sessions that began through it end by themselves. While the workspace insists on single sign-on, its only connection that works cannot be removed: 409 `last_way_in`.',
    errors: ['last_way_in'],
    answers: { 204: null },
    async handle({ db, by, params }) {
      await deleteConnection(db, by, params.id)
      return noContent()
    },
  }),
]
