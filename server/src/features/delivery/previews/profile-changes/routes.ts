import type { Static } from 'typebox'
import type { RenderDeps } from '#features/signatures/live-signatures/index.ts'
import { dataOf, ok, type Route, route } from '#kernel/api/routes.ts'
import { Nullable, Uuid } from '#kernel/api/validation.ts'
import { ClosedObject, NamedObject } from '#kernel/base/closed.ts'
import { InstallablePreview } from '../schemas.ts'
import { compareChange } from './rules.ts'

/** Without the title: a schema with a title has one meaning in the whole description, and this one can be null. */
const rendered = () =>
  Nullable<Static<typeof InstallablePreview>>(ClosedObject(InstallablePreview.properties))

const ProfileChangePreview = NamedObject('ProfileChangePreview', {
  email_id: Nullable<string>(
    Uuid({ description: 'The primary address of the person; null when there is none.' }),
  ),
  signature_id: Nullable<string>(
    Uuid({ description: 'The signature that this address gets for new mail; null when it gets none.' }),
  ),
  before: rendered(),
  after: rendered(),
})

export const changePreviewRoutes = (deps: RenderDeps): readonly Route[] => [
  route({
    name: 'profileChanges.preview',
    method: 'GET',
    path: '/v1/profile_changes/{id}/preview',
    access: 'teammates:read',
    own: true,
    summary: 'The signature of a person before and after a change',
    description:
      'Renders the signature that the primary address of the person gets for new mail, once with the value now (after a decision: the value at the decision) and once with the value that the person asked for. Everything else is as it is now, also the choice of the signature. Both are null when the person gets no signature. Links and pixel are not tracked, and nothing is stored. For members, changes of other people do not exist (404).',
    answers: { 200: dataOf(ProfileChangePreview) },
    handle: async ({ db, by, params }) =>
      ok(await compareChange(db, { ...deps, workspaceId: by.workspaceId }, by, params.id)),
  }),
]
