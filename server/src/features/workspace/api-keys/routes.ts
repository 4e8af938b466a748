import { Type } from 'typebox'
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
import type { Caller } from '#kernel/api/scopes.ts'
import { orNotFound } from '#kernel/base/errors.ts'
import type { Db } from '#kernel/db/db.ts'
import { findKey, listKeys } from './queries.ts'
import { changeKey, createKey, revokeKey, rotateKey } from './rules.ts'
import { ApiKey, ApiKeyInput, ApiKeyPatch, NewApiKey } from './schemas.ts'

/** The properties that the ETag of a key covers: all except its secret and the time of last use. */
const versionOf = ({ key: _, last_used_at: __, ...rest }: ApiKey & { readonly key?: string }): object => rest

const answerOf = (key: ApiKey): Answer => ok(key, versionOf(key))

const readRoutes: readonly Route[] = [
  route({
    name: 'apiKeys.list',
    method: 'GET',
    path: '/v1/api_keys',
    access: 'api_keys:read',
    summary: 'List API keys',
    description:
      'The API keys of the workspace, without their secrets: scopes, the member they act as, when they expire and when they were last used.',
    query: Type.Object(pageQuery),
    answers: { 200: pageOf(ApiKey) },
    handle: async ({ db, by, query }) => list(await listKeys(db, by.workspaceId, query)),
  }),
  route({
    name: 'apiKeys.get',
    method: 'GET',
    path: '/v1/api_keys/{id}',
    access: 'api_keys:read',
    summary: 'Read an API key, without its secret',
    description:
      'One API key without its secret: its name, its scopes, the member whose rights it has, when it expires and when it was last used. The secret is shown only when the key is created or rotated.',
    answers: { 200: dataOf(ApiKey) },
    handle: async ({ db, by, params }) => answerOf(orNotFound(await findKey(db, by.workspaceId, params.id))),
  }),
]

interface ApiKeyDeps {
  /** Clears the cache of the authenticator in this process. */
  readonly onChange: () => void
  /** Refuses a session that must not decide for the owner: a key of the owner could do what the session cannot. */
  readonly checkActsForOwner: (db: Db, by: Caller) => Promise<void>
}

export const apiKeyRoutes = ({ onChange, checkActsForOwner }: ApiKeyDeps): readonly Route[] => [
  ...readRoutes,
  route({
    name: 'apiKeys.create',
    method: 'POST',
    path: '/v1/api_keys',
    access: 'api_keys:write',
    summary: 'Create an API key',
    description:
      'Creates a key that acts as the member who creates it, narrowed to the given scopes. The full key is in this answer alone. Use one key for each integration, with the scopes it needs. Keys expire after one year unless `expires_at` says otherwise.',
    secret: true,
    body: maybeWrappedBody('api_key', ApiKeyInput),
    errors: ['out_of_range', 'own_sign_in_required'],
    answers: { 201: dataOf(NewApiKey) },
    async handle({ db, by, body }) {
      await checkActsForOwner(db, by)
      const key = await createKey(db, by, by.memberId ?? '', body)
      return created(key, `/v1/api_keys/${key.id}`, versionOf(key))
    },
  }),
  route({
    name: 'apiKeys.update',
    method: 'PATCH',
    path: '/v1/api_keys/{id}',
    access: 'api_keys:write',
    summary: 'Rename an API key, or change its scopes or expiry',
    description:
      'Renames a key or changes its scopes or its expiry; its secret stays the same. A key never has more rights than its member, and cannot be given rights or a lifetime beyond those of the key that changes it.',
    body: maybeWrappedBody('api_key', ApiKeyPatch),
    errors: ['out_of_range', 'own_sign_in_required'],
    answers: { 200: dataOf(ApiKey) },
    async handle({ db, by, params, body }) {
      await checkActsForOwner(db, by)
      const key = await changeKey(db, by, params.id, body)
      onChange()
      return answerOf(key)
    },
  }),
  route({
    name: 'apiKeys.rotate',
    method: 'POST',
    path: '/v1/api_keys/{id}/rotate',
    access: 'api_keys:write',
    summary: 'Give an API key a new secret; the old one works for 24 hours more',
    description:
      'Gives the key a new secret, which is in this answer alone. The old secret works for 24 hours more, so that clients can be changed without an interruption.',
    secret: true,
    errors: ['own_sign_in_required'],
    answers: { 200: dataOf(NewApiKey) },
    async handle({ db, by, params }) {
      await checkActsForOwner(db, by)
      return answerOf(await rotateKey(db, by, params.id))
    },
  }),
  route({
    name: 'apiKeys.delete',
    method: 'DELETE',
    path: '/v1/api_keys/{id}',
    access: 'api_keys:delete',
    summary: 'Revoke an API key; every process refuses it within 5 seconds',
    description:
      'Revokes a key for good. Every process refuses it within five seconds, with 401 `invalid_api_key`. A key can revoke only keys whose rights and expiry are within its own.',
    answers: { 204: null },
    async handle({ db, by, params }) {
      orNotFound(await revokeKey(db, by, params.id))
      onChange()
      return noContent()
    },
  }),
]
