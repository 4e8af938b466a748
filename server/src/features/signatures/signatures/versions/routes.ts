import { Type } from 'typebox'
import { ContentTree } from '#features/content/content/index.ts'
import { pageOf, pageQuery } from '#kernel/api/pagination.ts'
import { dataOf, list, ok, type Route, route } from '#kernel/api/routes.ts'
import { Nullable, Timestamp, Uuid } from '#kernel/api/validation.ts'
import { NamedObject } from '#kernel/base/closed.ts'
import { apiError, orNotFound } from '#kernel/base/errors.ts'
import { hasSignature } from '../queries.ts'
import { restoreVersion } from '../rules.ts'
import { Signature } from '../schemas.ts'
import { findVersion, listVersions } from './queries.ts'

const baseFields = {
  id: Uuid(),
  number: Type.Integer({ description: 'From 1, without gaps.' }),
  published_at: Timestamp(),
  published_by: Type.String({ description: 'The address of the member who published it.' }),
  note: Nullable<string>(Type.String({ description: 'Where its draft came from, if from another version.' })),
}

const SignatureVersionListItem = NamedObject('SignatureVersionListItem', baseFields)

const SignatureVersion = NamedObject('SignatureVersion', { ...baseFields, content: ContentTree() })

export const versionRoutes: readonly Route[] = [
  route({
    name: 'signatures.versions.list',
    method: 'GET',
    path: '/v1/signatures/{id}/versions',
    access: 'signatures:read',
    summary: 'List the published versions of a signature',
    description:
      'The published versions of a signature, newest first, without their content. Each publish keeps one. Read a version to see its content, or restore it to make it the draft again.',
    query: Type.Object(pageQuery),
    answers: { 200: pageOf(SignatureVersionListItem) },
    async handle({ db, by, params, query }) {
      if (!(await hasSignature(db, by.workspaceId, params.id))) throw apiError('not_found')
      return list(await listVersions(db, by.workspaceId, params.id, query))
    },
  }),
  route({
    name: 'signatures.versions.get',
    method: 'GET',
    path: '/v1/signatures/{id}/versions/{version_id}',
    access: 'signatures:read',
    summary: 'Read a version with its content',
    description:
      'One published version of a signature with the content that was live from then on. Preview it with `POST /v1/content/preview`, or make it the draft again with `POST …/restore`.',
    answers: { 200: dataOf(SignatureVersion) },
    handle: async ({ db, by, params }) =>
      ok(orNotFound(await findVersion(db, by.workspaceId, params.id, params.version_id))),
  }),
  route({
    name: 'signatures.versions.restore',
    method: 'POST',
    path: '/v1/signatures/{id}/versions/{version_id}/restore',
    access: 'signatures:write',
    summary: 'Copy a version into the draft',
    description:
      'Copies the content of a version into the draft, which is overwritten. The live content stays as it is until the signature is published.',
    answers: { 200: dataOf(Signature) },
    handle: async ({ db, by, params }) => ok(await restoreVersion(db, by, params.id, params.version_id)),
  }),
]
