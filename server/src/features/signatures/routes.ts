import { Type } from 'typebox'
import type { DrawPicture } from '#features/content/index.ts'
import { orNotFound } from '#kernel/errors.ts'
import { pageOf, pageQuery } from '#kernel/pagination.ts'
import { created, dataOf, list, maybeWrappedBody, noContent, ok, type Route, route } from '#kernel/routes.ts'
import { duplicateSignature } from './duplicate.ts'
import { previewRoutes } from './previews/routes.ts'
import type { PreviewDeps } from './previews/rules.ts'
import { deactivateSignature, publishSignature } from './publish.ts'
import { findSignature, listSignatures } from './queries.ts'
import {
  changeSignature,
  createSignature,
  type DeleteDeps,
  deleteSignature,
  type OnSignatureChange,
} from './rules.ts'
import {
  DuplicateInput,
  filters,
  Signature,
  SignatureInput,
  SignatureListItem,
  SignaturePatch,
} from './schemas.ts'
import { testMailRoutes } from './test-mails/routes.ts'
import { variantRoutes } from './variants/routes.ts'
import type { VariantDeps } from './variants/rules.ts'
import { versionRoutes } from './versions/routes.ts'

/** How other features react to changes of signatures. */
export interface SignatureHooks extends DeleteDeps, Pick<VariantDeps, 'variantsSupported'> {}

export interface SignatureDeps extends SignatureHooks, PreviewDeps {
  readonly draw: DrawPicture
  /** Whether a mail server is configured. */
  readonly sendsMail: boolean
}

export const signatureRoutes = (deps: SignatureDeps): readonly Route[] => [
  ...resourceRoutes(deps),
  ...actionRoutes(deps.onChange),
  ...versionRoutes,
  ...variantRoutes(deps),
  ...previewRoutes(deps),
  ...testMailRoutes(deps),
]

const pathOf = ({ id }: { readonly id: string }): string => `/v1/signatures/${id}`

const resourceRoutes = (deps: DeleteDeps): readonly Route[] => [
  route({
    name: 'signatures.list',
    method: 'GET',
    path: '/v1/signatures',
    access: 'signatures:read',
    summary: 'List signatures',
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
    body: maybeWrappedBody('signature', SignatureInput),
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
    answers: { 200: dataOf(Signature) },
    handle: async ({ db, by, params }) => ok(orNotFound(await findSignature(db, by.workspaceId, params.id))),
  }),
  route({
    name: 'signatures.update',
    method: 'PATCH',
    path: '/v1/signatures/{id}',
    access: 'signatures:write',
    summary: 'Change a signature or its draft',
    body: maybeWrappedBody('signature', SignaturePatch),
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
    answers: { 204: null },
    async handle({ db, by, params }) {
      await deleteSignature(db, by, params.id, deps)
      return noContent()
    },
  }),
]

const actionRoutes = (onChange: OnSignatureChange): readonly Route[] => [
  route({
    name: 'signatures.publish',
    method: 'POST',
    path: '/v1/signatures/{id}/publish',
    access: 'signatures:write',
    summary: 'Make the draft live',
    answers: { 200: dataOf(Signature) },
    handle: async ({ db, by, params }) => ok(await publishSignature(db, by, params.id, onChange)),
  }),
  route({
    name: 'signatures.deactivate',
    method: 'POST',
    path: '/v1/signatures/{id}/deactivate',
    access: 'signatures:write',
    summary: 'Take a signature out of use: recipients fall to their next one',
    answers: { 200: dataOf(Signature) },
    handle: async ({ db, by, params }) => ok(await deactivateSignature(db, by, params.id, onChange)),
  }),
  route({
    name: 'signatures.duplicate',
    method: 'POST',
    path: '/v1/signatures/{id}/duplicate',
    access: 'signatures:write',
    summary: 'Copy the draft and the variants into a new signature',
    body: maybeWrappedBody('signature', DuplicateInput),
    answers: { 201: dataOf(Signature) },
    async handle({ db, by, params, body }) {
      const copy = await duplicateSignature(db, by, params.id, body)
      return created(copy, pathOf(copy))
    },
  }),
]
