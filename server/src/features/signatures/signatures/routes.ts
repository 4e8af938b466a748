import { type TObject, Type } from 'typebox'
import { pageOf, pageQuery } from '#kernel/api/pagination.ts'
import {
  created,
  dataOf,
  list,
  maybeWrappedBody,
  noContent,
  ok,
  plainBody,
  type Route,
  route,
} from '#kernel/api/routes.ts'
import { orNotFound } from '#kernel/base/errors.ts'
import { type CheckRouteDeps, checkRoutes } from './check/routes.ts'
import { CheckProblem, PublishInput } from './check/schemas.ts'
import { duplicateSignature } from './duplicate.ts'
import { publicationRequestRoutes, publishAnswer } from './publication-requests/routes.ts'
import { type ApprovalDeps, publishOrRequest } from './publication-requests/rules.ts'
import { PublicationRequest } from './publication-requests/schemas.ts'
import { deactivateSignature } from './publish.ts'
import { findSignature, listSignatures } from './queries.ts'
import {
  changeSignature,
  createSignature,
  type DeleteDeps,
  deleteSignature,
  storedSignatureProblems,
} from './rules.ts'
import {
  DuplicateInput,
  filters,
  Signature,
  SignatureInput,
  SignatureListItem,
  SignaturePatch,
} from './schemas.ts'
import { variantRoutes } from './variants/routes.ts'
import { versionRoutes } from './versions/routes.ts'

/** Reactions of other features to changes of signatures. */
export interface SignatureHooks
  extends DeleteDeps,
    Pick<ApprovalDeps, 'variantsSupported' | 'enqueueAccountMail'>,
    Pick<CheckRouteDeps, 'findKept'> {}

interface SignatureDeps extends SignatureHooks, CheckRouteDeps {}

export const signatureRoutes = (deps: SignatureDeps): readonly Route[] => [
  ...resourceRoutes(deps),
  ...actionRoutes(deps),
  ...checkRoutes(deps),
  ...versionRoutes,
  ...variantRoutes(deps),
  ...publicationRequestRoutes(deps),
]

const pathOf = ({ id }: { readonly id: string }): string => `/v1/signatures/${id}`

const signatureBody = <S extends TObject>(schema: S) =>
  maybeWrappedBody('signature', schema, { storedProblems: storedSignatureProblems(schema) })

const resourceRoutes = (deps: DeleteDeps): readonly Route[] => [
  route({
    name: 'signatures.list',
    method: 'GET',
    path: '/v1/signatures',
    access: 'signatures:read',
    summary: 'List signatures',
    description:
      'Signatures, newest first, without their content. `include_content=true` adds the content trees, `folder_id=none` lists those outside folders, and `search` looks for a part of the name.',
    query: Type.Object({ ...pageQuery, ...filters }),
    answers: { 200: pageOf(SignatureListItem) },
    handle: async ({ db, by, query }) => list(await listSignatures(db, by.workspaceId, query, query)),
  }),
  route({
    name: 'signatures.create',
    method: 'POST',
    path: '/v1/signatures',
    access: 'signatures:write',
    summary: 'Create a signature',
    description:
      'Creates a signature with a draft: nothing is published, and it has no recipients yet. The draft is `draft_content`, or a template (`template_id`) filled with the brand of the workspace, or empty. Without `priority` the signature comes after all others. Next: preview it, choose recipients, and publish.',
    body: signatureBody(SignatureInput),
    answers: { 201: dataOf(Signature) },
    async handle({ db, by, body }) {
      const signature = await createSignature(db, by, body)
      return created(signature, pathOf(signature))
    },
  }),
  route({
    name: 'signatures.get',
    method: 'GET',
    path: '/v1/signatures/{id}',
    access: 'signatures:read',
    summary: 'Read a signature with its content and draft',
    description:
      'One signature with its published `content` and its `draft_content`. `has_unpublished_changes` tells whether publishing would change anything. The `ETag` of the answer can be sent as `If-Match` with a later change.',
    answers: { 200: dataOf(Signature) },
    handle: async ({ db, by, params }) => ok(orNotFound(await findSignature(db, by.workspaceId, params.id))),
  }),
  route({
    name: 'signatures.update',
    method: 'PATCH',
    path: '/v1/signatures/{id}',
    access: 'signatures:write',
    summary: 'Change a signature or its draft',
    description:
      'Changes the name, folder, priority or draft; only the fields sent change. The published content stays as it is until the signature is published. With `If-Match`, a change based on an outdated version is refused with 412 and nothing happens.',
    body: signatureBody(SignaturePatch),
    answers: { 200: dataOf(Signature) },
    handle: async ({ db, by, params, body }) =>
      ok(await changeSignature(db, by, params.id, body, deps.onChange)),
  }),
  route({
    name: 'signatures.delete',
    method: 'DELETE',
    path: '/v1/signatures/{id}',
    access: 'signatures:delete',
    summary: 'Delete a signature for good',
    description:
      'Deletes the signature for good, with its versions, variants and recipients. Recipients fall to their next signature. Installed copies stay where they are, links in mails that were sent keep working, and recorded numbers stay. A campaign that was only for this signature is paused.',
    answers: { 204: null },
    async handle({ db, by, params }) {
      await deleteSignature(db, by, params.id, deps)
      return noContent()
    },
  }),
]

const actionRoutes = (deps: ApprovalDeps): readonly Route[] => [
  route({
    name: 'signatures.publish',
    method: 'POST',
    path: '/v1/signatures/{id}/publish',
    access: 'signatures:write',
    versionAt: '/v1/signatures/{id}',
    summary: 'Make the draft live',
    description:
      'Copies the draft to the published content, keeps a version of it and switches the signature on; the mailboxes of all recipients are updated in the background. Without a draft, the published content goes live again. The problems that `GET /v1/signatures/{id}/check` finds stand beside `data` as `warnings`. Content that shows nothing to any recipient is refused with 422 `nothing_to_show`, unless `force` is true. Variants are published on their own. With the ETag of the signature as `If-Match`, a draft that has changed since is not published (412 `stale_resource`). Where the workspace wants approvals (`publish_approval`), a publish by a manager is answered with 202 and a publication request: nothing is live before an owner or admin approves it.',
    body: plainBody(PublishInput),
    errors: ['blank', 'nothing_to_show'],
    answers: {
      200: dataOf(Signature, { warnings: Type.Array(CheckProblem) }),
      202: dataOf(PublicationRequest, { warnings: Type.Array(CheckProblem) }),
    },
    handle: async ({ db, by, params, body }) =>
      publishAnswer(await publishOrRequest(db, by, params.id, deps, body)),
  }),
  route({
    name: 'signatures.deactivate',
    method: 'POST',
    path: '/v1/signatures/{id}/deactivate',
    access: 'signatures:write',
    summary: 'Take a signature out of use: recipients fall to their next one',
    description:
      'Takes the signature out of use: its recipients fall to their next signature, or to none. Content, recipients and versions are kept; publishing brings it back.',
    answers: { 200: dataOf(Signature) },
    handle: async ({ db, by, params }) => ok(await deactivateSignature(db, by, params.id, deps.onChange)),
  }),
  route({
    name: 'signatures.duplicate',
    method: 'POST',
    path: '/v1/signatures/{id}/duplicate',
    access: 'signatures:write',
    summary: 'Copy the draft and the variants into a new signature',
    description:
      'Copies the draft and the variants into a new signature. The copy has no recipients and is not published. Without `name` it is called "<name> (Copy)".',
    body: signatureBody(DuplicateInput),
    errors: ['unknown_reference'],
    answers: { 201: dataOf(Signature) },
    async handle({ db, by, params, body }) {
      const copy = await duplicateSignature(db, by, params.id, body)
      return created(copy, pathOf(copy))
    },
  }),
]
