import { Type } from 'typebox'
import { apiError, found, invalid } from '../../kernel/errors.ts'
import { pageOf, pageQuery } from '../../kernel/pagination.ts'
import { accepted, bare, dataOf, list, ok, type Route, route } from '../../kernel/routes.ts'
import { OneOf, Uuid } from '../../kernel/validation.ts'
import { findSignature } from '../signatures/index.ts'
import { installOne, installSignature } from './asking.ts'
import { findInstallation, listInstallations, progressOf } from './queries.ts'
import { Installation, InstallOne, Progress, Queued, statuses } from './schemas.ts'

export const installationRoutes = ({ publicUrl }: { readonly publicUrl: string }): readonly Route[] => [
  route({
    method: 'GET',
    path: '/v1/installations',
    access: 'installations:read',
    summary: 'List what is on its way to mailboxes, or has arrived',
    query: Type.Object({
      ...pageQuery,
      status: Type.Optional(OneOf(statuses)),
      email_id: Type.Optional(Uuid()),
      signature_template_id: Type.Optional(Uuid()),
      integration_id: Type.Optional(Uuid()),
    }),
    answers: { 200: pageOf(Installation) },
    handle: async ({ db, by, query }) => list(await listInstallations(db, by.workspaceId, query, query)),
  }),
  route({
    method: 'GET',
    path: '/v1/installations/{id}',
    access: 'installations:read',
    summary: 'Read an installation',
    answers: { 200: dataOf(Installation) },
    handle: async ({ db, by, params }) => ok(found(await findInstallation(db, by.workspaceId, params.id))),
  }),
  route({
    method: 'POST',
    path: '/v1/signatures/{id}/install',
    access: 'signatures:write',
    summary: 'Install a signature again for everybody who gets it',
    answers: { 202: dataOf(Queued) },
    async handle({ db, by, params }) {
      return accepted({
        signature_id: params.id,
        queued: await installSignature(db, by, params.id, publicUrl),
      })
    },
  }),
  route({
    method: 'GET',
    path: '/v1/signatures/{id}/installation',
    access: 'signatures:read',
    summary: 'How far the installation of a signature is',
    answers: { 200: dataOf(Progress) },
    async handle({ db, by, params }) {
      found(await findSignature(db, by.workspaceId, params.id))
      const { recent, ...counts } = await progressOf(db, by.workspaceId, params.id)
      const rate = Math.round((recent / 60) * 100) / 100
      const left = rate > 0 && counts.pending > 0 ? counts.pending / rate : null
      const estimated_end = left === null ? null : new Date(Date.now() + left * 1_000).toISOString()
      return ok({ signature_id: params.id, ...counts, rate, estimated_end })
    },
  }),
  route({
    method: 'POST',
    path: '/v1/emails/{id}/install',
    access: 'signatures:write',
    summary: 'Install the signature of one address again',
    body: bare(InstallOne),
    answers: { 202: dataOf(Queued) },
    async handle({ db, by, params, body }) {
      const place = { workspaceId: by.workspaceId, publicUrl }
      const target = await installOne(db, by, place, params.id)
      if (!target) throw apiError('no_signature_to_install')
      if (body.signature_id !== undefined && body.signature_id.toLowerCase() !== target)
        throw invalid('signature_id', 'not_a_recipient')
      return accepted({ signature_id: target, queued: 1 })
    },
  }),
]
