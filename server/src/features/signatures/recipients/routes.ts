import { Type } from 'typebox'
import { ignoredProperty } from '#kernel/api/ignored.ts'
import { Pagination, pageQuery } from '#kernel/api/pagination.ts'
import { dataOf, jsonText, noContent, ok, plainBody, type Route, route } from '#kernel/api/routes.ts'
import { OneOf } from '#kernel/api/validation.ts'
import { ClosedObject } from '#kernel/base/closed.ts'
import { orNotFound } from '#kernel/base/errors.ts'
import { findSelection, listRecipients } from './queries.ts'
import {
  addRecipients,
  assignEntities,
  changeRules,
  previewRules,
  type RecipientDeps,
  removeRecipients,
  unassignEntity,
} from './rules.ts'
import {
  EmailIds,
  EntityIds,
  installationStatuses,
  Recipient,
  RecipientRules,
  RulePreview,
  RulePreviewInput,
  Selection,
  StoredRules,
} from './schemas.ts'

const Recipients = ClosedObject({
  data: Type.Array(Recipient),
  pagination: Pagination,
  selection: Selection,
  ...ignoredProperty,
})

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
    description:
      'The addresses that get this signature, each with its sources (by hand, by rule, by org unit or group, as a future address) and the state of its installation. `selection` beside the data is the stored choice: how many were chosen by hand, the conditions, the entities. An address in this list can still show another signature with a lower priority; ask `GET /v1/emails/{id}/signature`.',
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
    description:
      'Adds addresses by hand. The call is additive and idempotent: addresses that are recipients already stay so. A published signature is installed for the new recipients without another call.',
    body: plainBody(EmailIds),
    errors: ['unknown_reference'],
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
    description:
      'Takes the signature from addresses that were added by hand. Addresses that a rule or an entity still reaches remain recipients for that reason. Removing an address that is no recipient changes nothing.',
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
    description:
      'Takes the signature from one address that was added by hand. If a rule or an entity reaches the address too, it remains a recipient.',
    answers: { 204: null },
    async handle({ db, by, params }) {
      await removeRecipients(db, by, params.id, [params.email_id], onChange)
      return noContent()
    },
  }),
]

const rulesPath = '/v1/signatures/{id}/recipient_rules'

const ruleRoutes = ({ onChange }: RecipientDeps): readonly Route[] => [
  route({
    name: 'signatures.recipientRules.get',
    method: 'GET',
    path: rulesPath,
    access: 'signatures:read',
    summary: 'Read the rules that choose recipients',
    description:
      'The rules of a signature as `PUT` takes them: the conditions, and whether all future or all addresses get it. Its ETag is the version for the `If-Match` of `PUT`. The numbers of addresses are in `selection` of `GET /v1/signatures/{id}/emails`.',
    answers: { 200: dataOf(StoredRules) },
    async handle({ db, by, params }) {
      const selection = orNotFound(await findSelection(db, by.workspaceId, params.id))
      const { conditions, assign_to_all_future_emails, everybody } = selection
      return ok({ conditions, assign_to_all_future_emails, everybody })
    },
  }),
  route({
    name: 'signatures.recipientRules.set',
    method: 'PUT',
    path: rulesPath,
    access: 'signatures:write',
    versionAt: rulesPath,
    summary: 'Choose recipients by their values, or all addresses',
    description:
      'Sets the rules that choose recipients; only the properties sent change. `conditions` is replaced as a whole: an address is reached when all conditions of one group hold. `assign_to_all_future_emails` adds every address that is created from now on. `everybody` reaches all present and future addresses, and stays current by itself; set it to false to undo it. With the ETag of `GET` as `If-Match`, rules that have changed since are not replaced (412 `stale_resource`). The mailboxes concerned are updated in the background.',
    body: plainBody(RecipientRules),
    errors: ['unknown_reference', 'missing', 'blank', 'too_short', 'too_many'],
    answers: { 200: dataOf(Selection) },
    handle: async ({ db, by, params, body }) => ok(await changeRules(db, by, params.id, body, onChange)),
  }),
  route({
    name: 'recipientRules.preview',
    method: 'POST',
    path: '/v1/recipient_rules/preview',
    access: 'signatures:read',
    summary: 'Count the addresses that conditions would reach',
    description:
      'Tells for how many addresses of active people the conditions of a rule hold now, with the first 50 of them, and changes nothing. The conditions are those of `PUT /v1/signatures/{id}/recipient_rules`: the outer list means or, the inner list means and.',
    body: plainBody(RulePreviewInput),
    errors: ['unknown_reference', 'missing', 'blank', 'too_short', 'too_many'],
    answers: { 200: dataOf(RulePreview) },
    handle: async ({ db, by, body }) => ok(await previewRules(db, by.workspaceId, body.conditions)),
  }),
  route({
    name: 'signatures.entities.add',
    method: 'POST',
    path: '/v1/signatures/{id}/integration_entities',
    access: 'signatures:write',
    summary: 'Give a signature to org units or groups',
    description:
      'Gives the signature to all people in these org units or groups of a connected directory. Membership follows the directory: people who join later get the signature, people who leave lose it. The call adds to earlier ones, and an unknown id gives 422 `unknown_reference`.',
    body: plainBody(EntityIds),
    errors: ['unknown_reference'],
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
    description:
      'Takes the signature from an org unit or group. People who are recipients for another reason keep it; the others fall to their next signature. Their mailboxes are updated in the background.',
    answers: { 204: null },
    async handle({ db, by, params }) {
      await unassignEntity(db, by, params.id, params.entity_id, onChange)
      return noContent()
    },
  }),
]
