import { Type } from 'typebox'
import {
  dataOf,
  jsonText,
  noContent,
  ok,
  plainBody,
  type Route,
  route,
  wrappedBody,
} from '#kernel/api/routes.ts'
import { ClosedObject } from '#kernel/base/closed.ts'
import { CheckProblem, VariantPublishInput } from '../check/schemas.ts'
import { publishAnswer } from '../publication-requests/routes.ts'
import { type ApprovalDeps, publishOrRequestVariant } from '../publication-requests/rules.ts'
import { PublicationRequest } from '../publication-requests/schemas.ts'
import { changeVariant, resetVariant, variantOf, variantsOf } from './rules.ts'
import { SignatureVariant, type VariantKind, VariantPatch, variantKinds } from './schemas.ts'

const words = { kind: variantKinds }

export const variantRoutes = (deps: ApprovalDeps): readonly Route[] => [
  route({
    name: 'signatures.variants.list',
    method: 'GET',
    path: '/v1/signatures/{id}/variants',
    access: 'signatures:read',
    summary: 'List the variants of a signature, those not made included',
    description:
      'The variants for replies and for internal mail. Both are always listed; one that was not created has `exists: false`. `supported` tells whether the workspace has a channel that can tell the kinds of mail apart.',
    answers: {
      200: ClosedObject({
        data: Type.Array(SignatureVariant),
        supported: Type.Boolean({ description: 'False: no channel can tell the kinds of mail apart.' }),
      }),
    },
    async handle({ db, by, params }) {
      const data = await variantsOf(db, by.workspaceId, params.id)
      const supported = await deps.variantsSupported(db, by.workspaceId)
      return jsonText(JSON.stringify({ data, supported }))
    },
  }),
  route({
    name: 'signatures.variants.get',
    method: 'GET',
    path: '/v1/signatures/{id}/variants/{kind}',
    words,
    access: 'signatures:read',
    summary: 'Read a variant',
    description:
      'One variant, `reply` or `internal`, with its published content, its draft and its switches. A variant that was not created yet is answered too, with `exists: false` and no content.',
    answers: { 200: dataOf(SignatureVariant) },
    handle: async ({ db, by, params }) =>
      ok(await variantOf(db, by.workspaceId, params.id, params.kind as VariantKind)),
  }),
  route({
    name: 'signatures.variants.update',
    method: 'PATCH',
    path: '/v1/signatures/{id}/variants/{kind}',
    words,
    access: 'signatures:write',
    summary: 'Change a variant, or make it',
    description:
      'Creates the variant or changes it. `hidden: true` means no signature on this kind of mail; `activated: false` means the primary signature is used instead; `show_marketing_campaigns` decides about banners. Where the workspace wants approvals (`publish_approval`), only owners and admins change `hidden`, and `activated` of published content: 403 `insufficient_role`. Content becomes live with `POST …/publish` of the variant.',
    body: wrappedBody('variant', VariantPatch),
    errors: ['variants_unavailable'],
    answers: { 200: dataOf(SignatureVariant) },
    handle: async ({ db, by, params, body }) =>
      ok(await changeVariant(db, by, params.id, params.kind as VariantKind, body, deps)),
  }),
  route({
    name: 'signatures.variants.publish',
    method: 'POST',
    path: '/v1/signatures/{id}/variants/{kind}/publish',
    words,
    access: 'signatures:write',
    versionAt: '/v1/signatures/{id}/variants/{kind}',
    summary: 'Publish the draft of a variant',
    description:
      'Makes the draft of the variant live. The first publish also switches the variant on, so that replies or internal mails get it; send `"activated": false` to keep it off. Later publishes leave the switch as it is. The problems that `check` finds in the variant stand beside `data` as `warnings`; content that shows nothing to any recipient is refused with 422 `nothing_to_show` unless `force` is true. The mailboxes concerned are updated in the background. With the ETag of the variant as `If-Match`, a draft that has changed since is not published (412 `stale_resource`). Where the workspace wants approvals, a publish by a manager is answered with 202 and a publication request.',
    body: plainBody(VariantPublishInput),
    errors: ['variants_unavailable', 'variant_not_created', 'blank', 'nothing_to_show'],
    answers: {
      200: dataOf(SignatureVariant, { warnings: Type.Array(CheckProblem) }),
      202: dataOf(PublicationRequest, { warnings: Type.Array(CheckProblem) }),
    },
    handle: async ({ db, by, params, body }) =>
      publishAnswer(await publishOrRequestVariant(db, by, params.id, params.kind as VariantKind, deps, body)),
  }),
  route({
    name: 'signatures.variants.reset',
    method: 'DELETE',
    path: '/v1/signatures/{id}/variants/{kind}',
    words,
    access: 'signatures:delete',
    summary: 'Remove a variant: the primary signature is used again',
    description:
      'Removes the variant with its content and its draft: the primary signature is used again for this kind of mail. The mailboxes concerned are updated in the background. Removing a variant that does not exist changes nothing.',
    errors: ['variants_unavailable'],
    answers: { 204: null },
    async handle({ db, by, params }) {
      await resetVariant(db, by, params.id, params.kind as VariantKind, deps)
      return noContent()
    },
  }),
]
