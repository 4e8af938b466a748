import { Type } from 'typebox'
import { pageOf, pageQuery } from '#kernel/api/pagination.ts'
import { accepted, dataOf, list, maybeWrappedBody, noContent, type Route, route } from '#kernel/api/routes.ts'
import { OneOf } from '#kernel/api/validation.ts'
import { answerWith } from '../profile-changes/routes.ts'
import { ProfileChange, pendingChanges } from '../profile-changes/schemas.ts'
import { assertOwnPicture, clearPicture, setPicture, type TeammateDeps } from '../rules.ts'
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
      'Takes a file, a public address or an asset of the library, and shows the given part of it, or a square around what people look at. A file becomes an asset with the role `profile_picture`; the same file sent again becomes no second asset. Signatures with this field are delivered again. Members set the pictures of their own teammate in fields that are `editable_by_owner`; with `approval: required` the picture waits in `pending_changes` for the decision of a manager. A field that a directory syncs stays unchanged, and the answer names it in `ignored`.',
    body: maybeWrappedBody('image', TeammateImage, { file: 'file_base64', problems: imageProblems }),
    bodyLimit: 21 * 1024 * 1024,
    errors: ['missing', 'blank', 'unknown_reference', 'out_of_range', 'not_editable'],
    answers: { 200: dataOf(Teammate, pendingChanges) },
    async prepare({ db, by, params, body, reserve }) {
      await assertOwnPicture(db, by, params, deps.publicUrl)
      return prepareImage(db, by.workspaceId, params.smart_field_id, body, { ...deps, reserve })
    },
    async handle({ db, by, params, body, prepared }) {
      const image = { image: body, prepared }
      const { teammate, ignored, pending } = await setPicture(db, by, params, image, deps)
      return { ...answerWith(teammate, pending), ignored }
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
      'The field has no value afterwards, and signatures with it are delivered again. The image stays in the library. A fetch that is pending for the field is cancelled. A field that a directory syncs is not changed: 409 `directory_managed`. Where a member needs an approval, the answer is 202 with the profile change, and the picture stays until a manager decides.',
    errors: ['directory_managed', 'invalid', 'not_editable'],
    answers: { 202: dataOf(ProfileChange), 204: null },
    async handle({ db, by, params }) {
      const change = await clearPicture(db, by, params, deps)
      return change ? accepted(change) : noContent()
    },
  }),
]
