import { Type } from 'typebox'
import { orNotFound } from '#kernel/errors.ts'
import { Pagination, pageQuery } from '#kernel/pagination.ts'
import { dataOf, jsonText, noContent, ok, plainBody, type Route, route } from '#kernel/routes.ts'
import { OneOf } from '#kernel/validation.ts'
import { findSelection, listRecipients } from './queries.ts'
import {
  addRecipients,
  assignEntities,
  changeRules,
  type RecipientDeps,
  removeRecipients,
  unassignEntity,
} from './rules.ts'
import { EmailIds, EntityIds, installationStatuses, Recipient, RecipientRules, Selection } from './schemas.ts'

const Recipients = Type.Object(
  { data: Type.Array(Recipient), pagination: Pagination, selection: Selection },
  { additionalProperties: false },
)

export const recipientRoutes = (deps: RecipientDeps): readonly Route[] => [
  ...addressRoutes(deps),
  ...ruleRoutes(deps),
]

const addressRoutes = ({ onChange }: RecipientDeps): readonly Route[] => [
  route({
    name: 'signatures.recipients.list',
    method: 'GET',
    path: '/v1/signatures/{id}/emails',
    access: 'signatures:read',
    summary: 'List who gets a signature, and why',
    query: Type.Object({ ...pageQuery, installation_status: Type.Optional(OneOf(installationStatuses)) }),
    answers: { 200: Recipients },
    async handle({ db, by, params, query }) {
      const selection = orNotFound(await findSelection(db, by.workspaceId, params.id))
      const { data, pagination } = await listRecipients(
        db,
        by.workspaceId,
        params.id,
        query,
        query.installation_status,
      )
      const rest = JSON.stringify({ pagination, selection }).slice(1)
      return jsonText(`{"data":${data},${rest}`)
    },
  }),
  route({
    name: 'signatures.recipients.add',
    method: 'POST',
    path: '/v1/signatures/{id}/emails',
    access: 'signatures:write',
    summary: 'Give a signature to addresses',
    body: plainBody(EmailIds),
    answers: { 200: dataOf(Selection) },
    handle: async ({ db, by, params, body }) =>
      ok(await addRecipients(db, by, params.id, body.email_ids, onChange)),
  }),
  route({
    name: 'signatures.recipients.removeMany',
    method: 'POST',
    path: '/v1/signatures/{id}/emails/remove',
    access: 'signatures:write',
    summary: 'Take a signature from addresses that were given it',
    body: plainBody(EmailIds),
    answers: { 200: dataOf(Selection) },
    handle: async ({ db, by, params, body }) =>
      ok(await removeRecipients(db, by, params.id, body.email_ids, onChange)),
  }),
  route({
    name: 'signatures.recipients.remove',
    method: 'DELETE',
    path: '/v1/signatures/{id}/emails/{email_id}',
    access: 'signatures:write',
    summary: 'Take a signature from one address',
    answers: { 204: null },
    async handle({ db, by, params }) {
      await removeRecipients(db, by, params.id, [params.email_id], onChange)
      return noContent()
    },
  }),
]

const ruleRoutes = ({ onChange }: RecipientDeps): readonly Route[] => [
  route({
    name: 'signatures.recipientRules.set',
    method: 'PUT',
    path: '/v1/signatures/{id}/recipient_rules',
    access: 'signatures:write',
    summary: 'Choose recipients by their values, or all addresses',
    description:
      'Sets the rules that choose recipients; only the properties sent change. `conditions` is replaced as a whole: an address is reached when all conditions of one group hold. `assign_to_all_future_emails` adds every address that is created from now on. `everybody` reaches all present and future addresses, and stays current by itself; set it to false to undo it. The mailboxes concerned are updated in the background.',
    body: plainBody(RecipientRules),
    answers: { 200: dataOf(Selection) },
    handle: async ({ db, by, params, body }) => ok(await changeRules(db, by, params.id, body, onChange)),
  }),
  route({
    name: 'signatures.entities.add',
    method: 'POST',
    path: '/v1/signatures/{id}/integration_entities',
    access: 'signatures:write',
    summary: 'Give a signature to org units or groups',
    body: plainBody(EntityIds),
    answers: { 200: dataOf(Selection) },
    handle: async ({ db, by, params, body }) =>
      ok(await assignEntities(db, by, params.id, body.integration_entity_ids, onChange)),
  }),
  route({
    name: 'signatures.entities.remove',
    method: 'DELETE',
    path: '/v1/signatures/{id}/integration_entities/{entity_id}',
    access: 'signatures:write',
    summary: 'Take a signature from an org unit or group',
    answers: { 204: null },
    async handle({ db, by, params }) {
      await unassignEntity(db, by, params.id, params.entity_id, onChange)
      return noContent()
    },
  }),
]
