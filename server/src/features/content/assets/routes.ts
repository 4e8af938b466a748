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
  publicRoute,
  type Route,
  route,
} from '#kernel/api/routes.ts'
import { sortQuery } from '#kernel/api/sorting.ts'
import { OneOf } from '#kernel/api/validation.ts'
import { orNotFound } from '#kernel/base/errors.ts'
import { openFiles, type PublicFile } from './files.ts'
import { assetSorts, findAsset, listAssets } from './queries.ts'
import { type AssetDeps, changeAsset, createAsset, deleteAsset, prepareAsset } from './rules.ts'
import { Asset, AssetInput, AssetPatch, assetRoles, search } from './schemas.ts'
import type { FileStore } from './store.ts'
import { sourceProblems } from './upload.ts'

export const assetRoutes = (deps: AssetDeps): readonly Route[] => [
  route({
    name: 'assets.list',
    method: 'GET',
    path: '/v1/assets',
    access: 'assets:read',
    summary: 'List images',
    description:
      'The images of the workspace, newest first, each with its public address and whether it is in use. `role`, `without_role` and `search` narrow the list: without `profile_picture`, the pictures of people are left out.',
    query: Type.Object({
      ...pageQuery,
      role: Type.Optional(OneOf(assetRoles, { description: 'Only those with this role.' })),
      without_role: Type.Optional(OneOf(assetRoles, { description: 'All but those with this role.' })),
      search: Type.Optional(search),
      ...sortQuery(assetSorts),
    }),
    answers: { 200: pageOf(Asset) },
    handle: async ({ db, by, query }) =>
      list(await listAssets(db, by.workspaceId, deps.publicUrl, query, query)),
  }),
  route({
    name: 'assets.create',
    method: 'POST',
    path: '/v1/assets',
    access: 'assets:write',
    summary: 'Add an image',
    description:
      'Stores an image from base64 or from a public address. PNG, JPEG, GIF, WebP and SVG are accepted; WebP and SVG are converted to PNG, which mail clients can show. Limits: 15 MB, 25 megapixels, 100 frames. Signatures show smaller, sharp renditions of the image, so upload the largest one you have.',
    body: maybeWrappedBody('asset', AssetInput, { file: 'file_base64', problems: sourceProblems }),
    bodyLimit: 21 * 1024 * 1024,
    errors: ['missing', 'blank', 'out_of_range'],
    answers: { 201: dataOf(Asset) },
    prepare: ({ db, by, body, reserve }) => prepareAsset(db, by.workspaceId, body, { ...deps, reserve }),
    async handle({ db, by, body, prepared }) {
      const asset = await createAsset(db, by, prepared, body, deps.publicUrl)
      return created(asset, `/v1/assets/${asset.id}`)
    },
  }),
  route({
    name: 'assets.get',
    method: 'GET',
    path: '/v1/assets/{id}',
    access: 'assets:read',
    summary: 'Read an image',
    description:
      'One image with its size in pixels and bytes, its type and its public address. `in_use` tells whether something refers to it, and `signature_template_count` how many signatures do.',
    answers: { 200: dataOf(Asset) },
    handle: async ({ db, by, params }) =>
      ok(orNotFound(await findAsset(db, by.workspaceId, deps.publicUrl, params.id))),
  }),
  route({
    name: 'assets.update',
    method: 'PATCH',
    path: '/v1/assets/{id}',
    access: 'assets:write',
    summary: 'Rename an image, or change its role',
    description:
      'Changes the name or the role of an image; only the fields sent change, and signatures look the same afterwards. The bytes never change: upload a new image instead.',
    body: maybeWrappedBody('asset', AssetPatch),
    answers: { 200: dataOf(Asset) },
    handle: async ({ db, by, params, body }) =>
      ok(await changeAsset(db, by, params.id, body, deps.publicUrl)),
  }),
  route({
    name: 'assets.delete',
    method: 'DELETE',
    path: '/v1/assets/{id}',
    access: 'assets:delete',
    summary: 'Delete an image; where it is in use it goes on being shown',
    description:
      'Removes an image from the library. While a signature or campaign uses it, it continues to be served, so mails that were sent keep their pictures.',
    answers: { 204: null },
    async handle({ db, by, params }) {
      await deleteAsset(db, by, params.id)
      return noContent()
    },
  }),
]

const fileHeaders = {
  'cache-control': 'public, max-age=31536000, immutable',
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'",
  // Webmail clients show the image in pages of another origin.
  'cross-origin-resource-policy': 'cross-origin',
}

function fileAnswer({ file, contentType, tag }: PublicFile): Answer {
  const [body, size] = Buffer.isBuffer(file) ? [file, file.length] : [file.stream, file.size]
  const length = size === undefined ? {} : { 'content-length': String(size) }
  return {
    status: 200,
    body,
    headers: { ...fileHeaders, ...length, 'content-type': contentType, etag: `"${tag}"` },
  }
}

const answers = { 200: Type.String({ format: 'binary' }), 304: null }

export function fileRoutes(store: FileStore): readonly Route[] {
  const files = openFiles(store)
  return [
    publicRoute('/files/{workspace}/{file}', 'The file of an image', answers, async ({ db, params }) => {
      const { workspace = '', file = '' } = params
      return fileAnswer(await files.original(db, workspace, file))
    }),
    publicRoute(
      '/files/{workspace}/{token}/{file}',
      'An image, cut and shaped for its place',
      answers,
      async ({ db, params }) => {
        const { workspace = '', token = '', file = '' } = params
        return fileAnswer(await files.rendition(db, workspace, token, file))
      },
    ),
  ]
}
