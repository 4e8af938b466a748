import { Type } from 'typebox'
import type { RenderDeps } from '#features/signatures/live-signatures/index.ts'
import { installationStatuses } from '#features/signatures/recipients/index.ts'
import { findSignature } from '#features/signatures/signatures/index.ts'
import { pageOf, pageQuery } from '#kernel/api/pagination.ts'
import { accepted, dataOf, list, ok, plainBody, type Route, route } from '#kernel/api/routes.ts'
import { sortQuery } from '#kernel/api/sorting.ts'
import { OneOf, Uuid, updatedSince } from '#kernel/api/validation.ts'
import { orNotFound } from '#kernel/base/errors.ts'
import {
  findInstallation,
  type InstallationCounts,
  type InstallationProgress,
  installationSorts,
  listInstallations,
  progressOf,
} from './queries.ts'
import { installEmail, installSignature } from './rules.ts'
import { Installation, InstallOne, Progress, Queued } from './schemas.ts'

export const installationRoutes = (rendering: RenderDeps): readonly Route[] => [
  route({
    name: 'installations.list',
    method: 'GET',
    path: '/v1/installations',
    access: 'installations:read',
    summary: 'List what is on its way to mailboxes, or has arrived',
    description:
      'One row for each signature, address and channel: what is waiting, what has arrived, what failed and why. `html_sha256` identifies the installed HTML. Filter by `status=failed` to see the mailboxes that need attention, and by `status=drifted` to see those where the signature was changed afterwards, which a check finds once a day. Installations of the Outlook add-in have `trouble` when Outlook could not set the signature; `trouble=any` lists them.',
    query: Type.Object({
      ...pageQuery,
      status: Type.Optional(OneOf(installationStatuses)),
      email_id: Type.Optional(Uuid()),
      signature_template_id: Type.Optional(Uuid()),
      integration_id: Type.Optional(Uuid()),
      trouble: Type.Optional(
        OneOf(['any'], { description: 'Only addresses whose mail program has reported a trouble.' }),
      ),
      ...updatedSince,
      ...sortQuery(installationSorts),
    }),
    answers: { 200: pageOf(Installation) },
    handle: async ({ db, by, query }) => list(await listInstallations(db, by.workspaceId, query, query)),
  }),
  route({
    name: 'installations.get',
    method: 'GET',
    path: '/v1/installations/{id}',
    access: 'installations:read',
    summary: 'Read an installation',
    description:
      'One installation: the signature, the address and the channel, with its state, the number of attempts and the last error in words for people. `html_sha256` changes when other HTML was written to the mailbox.',
    answers: { 200: dataOf(Installation) },
    handle: async ({ db, by, params }) =>
      ok(orNotFound(await findInstallation(db, by.workspaceId, params.id))),
  }),
  route({
    name: 'signatures.install',
    method: 'POST',
    path: '/v1/signatures/{id}/install',
    access: 'signatures:write',
    summary: 'Install a signature again for all its recipients',
    description:
      'Installs the published signature again for every recipient, even where nothing has changed. Publishing and every change of people, rules or campaigns install by themselves; this call is for mailboxes that were changed from outside. The answer has the number of queued addresses. Follow the progress with `GET /v1/signatures/{id}/installation`.',
    errors: ['no_signature_to_install', 'installation_unavailable'],
    answers: { 202: dataOf(Queued) },
    async handle({ db, by, params }) {
      return accepted({
        signature_id: params.id,
        queued: await installSignature(db, by, params.id, rendering.publicUrl),
      })
    },
  }),
  route({
    name: 'signatures.installationProgress',
    method: 'GET',
    path: '/v1/signatures/{id}/installation',
    access: 'signatures:read',
    summary: 'How far the installation of a signature is',
    description:
      'How many installations of this signature are pending, installed, drifted, failed and uninstalled. It is cheap and can be asked every few seconds while an installation runs.',
    answers: { 200: dataOf(Progress) },
    async handle({ db, by, params }) {
      orNotFound(await findSignature(db, by.workspaceId, params.id))
      return ok({
        signature_id: params.id,
        ...progressBody(await progressOf(db, by.workspaceId, params.id)),
      })
    },
  }),
  route({
    name: 'emails.install',
    method: 'POST',
    path: '/v1/emails/{id}/install',
    access: 'signatures:write',
    summary: 'Install the signature of one address again',
    description:
      'Installs the signature of one address again, even if nothing has changed: for a mailbox whose signature was edited by hand. The work is queued; `GET /v1/installations?email_id=…` shows its state.',
    body: plainBody(InstallOne),
    errors: ['no_signature_to_install', 'installation_unavailable', 'not_a_recipient'],
    answers: { 202: dataOf(Queued) },
    async handle({ db, by, params, body }) {
      const context = { ...rendering, workspaceId: by.workspaceId }
      const target = await installEmail(db, by, context, params.id, body.signature_id)
      return accepted({ signature_id: target, queued: 1 })
    },
  }),
]

const isUsed = ({ pending, installed, drifted, failed }: InstallationCounts): boolean =>
  pending + installed + drifted + failed > 0

/**
 * Only the push channels count where signatures are pushed: a fetch depends on the next mail of the teammate, and a copy
 * from the personal page on the teammate.
 */
function progressBody({ pushed, fetched, personal_page, recent }: InstallationProgress) {
  const rate = Math.round((recent / 60) * 100) / 100
  const secondsLeft = rate > 0 && pushed.pending > 0 ? pushed.pending / rate : null
  const estimated_end = secondsLeft === null ? null : new Date(Date.now() + secondsLeft * 1_000).toISOString()
  const counts = [pushed, fetched].find(isUsed) ?? personal_page
  return { ...counts, rate, estimated_end, fetched, personal_page }
}
