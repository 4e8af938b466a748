import { Type } from 'typebox'
import { pageOf, pageQuery } from '#kernel/pagination.ts'
import { dataOf, list, maybeWrappedBody, noContent, ok, type Route, route } from '#kernel/routes.ts'
import { OneOf } from '#kernel/validation.ts'
import { assertOwnChange, clearPicture, setPicture, type TeammateDeps } from '../rules.ts'
import { Teammate } from '../schemas.ts'
import { listFetches } from './queries.ts'
import { imageProblems, prepareImage } from './rules.ts'
import { PictureFetch, pictureFetchStatuses, TeammateImage } from './schemas.ts'

const path = '/v1/teammates/{id}/images/{smart_field_id}'
const keys = ['smart_field_id']
const versionAt = '/v1/teammates/{id}'

export const pictureRoutes = (deps: TeammateDeps): readonly Route[] => [
  route({
    name: 'teammates.listPictureFetches',
    method: 'GET',
    path: '/v1/teammates/picture_fetches',
    access: 'teammates:read',
    summary: 'List pictures of imports that are not fetched yet, or could not be fetched',
    description:
      'An import fetches the pictures that it names by https addresses in the background. This list has one entry per teammate and image field until the picture is there. A host that does not answer is tried six times within three hours; an answer that is not an image fails at once. A failed entry stays until a later value for the same teammate and field replaces it.',
    query: Type.Object({ ...pageQuery, status: Type.Optional(OneOf(pictureFetchStatuses)) }),
    answers: { 200: pageOf(PictureFetch) },
    handle: async ({ db, by, query }) => list(await listFetches(db, by.workspaceId, query, query.status)),
  }),
  route({
    name: 'teammates.setImage',
    method: 'PUT',
    path,
    keys,
    access: 'teammates:write',
    own: true,
    versionAt,
    summary: 'Set the picture in an image field of a teammate',
    description:
      'Takes a file, a public address or an asset of the library, and shows the given part of it, or a square around what people look at. A file becomes an asset with the role `profile_picture`; the same file sent again becomes no second asset. Signatures with this field are delivered again. Members can set their own pictures. A field that a directory syncs stays unchanged, and the answer names it in `ignored`.',
    body: maybeWrappedBody('image', TeammateImage, { file: 'file_base64', problems: imageProblems }),
    bodyLimit: 21 * 1024 * 1024,
    errors: ['missing', 'blank', 'unknown_reference', 'out_of_range'],
    answers: { 200: dataOf(Teammate) },
    async prepare({ db, by, params, body, reserve }) {
      await assertOwnChange(db, by, params.id, deps.publicUrl)
      return prepareImage(db, by.workspaceId, params.smart_field_id, body, { ...deps, reserve })
    },
    async handle({ db, by, params, body, prepared }) {
      const { teammate, ignored } = await setPicture(db, by, params, { image: body, prepared }, deps)
      return { ...ok(teammate), ignored }
    },
  }),
  route({
    name: 'teammates.deleteImage',
    method: 'DELETE',
    path,
    keys,
    access: 'teammates:write',
    own: true,
    versionAt,
    summary: 'Remove the picture from an image field of a teammate',
    description:
      'The field has no value afterwards, and signatures with it are delivered again. The image stays in the library. A fetch that is pending for the field is cancelled. A field that a directory syncs is not changed: 409 `directory_managed`.',
    errors: ['directory_managed', 'invalid'],
    answers: { 204: null },
    async handle({ db, by, params }) {
      await clearPicture(db, by, params, deps)
      return noContent()
    },
  }),
]
