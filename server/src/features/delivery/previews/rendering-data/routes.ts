import type { RenderDeps } from '#features/signatures/live-signatures/index.ts'
import { dataOf, ok, plainBody, type Route, route } from '#kernel/api/routes.ts'
import { renderedPerson } from './people.ts'
import { pictureAddresses } from './pictures.ts'
import { PersonQuery, PictureAddresses, PicturesInput, pictureProblems, RenderedPerson } from './schemas.ts'

/** Everything that a client needs to run `@signoff/render` by itself and to get the bytes of `POST /v1/content/preview`. */
export const renderingDataRoutes = (deps: RenderDeps): readonly Route[] => [
  route({
    name: 'content.pictures',
    method: 'POST',
    path: '/v1/content/pictures',
    access: 'signatures:read',
    summary: 'The addresses of the pictures in a signature',
    description:
      'For clients that render content by themselves with `@signoff/render`: the addresses that its hooks `assetUrl`, `iconUrl`, `personPicture`, `qrUrl` and `vcard` give on this service, in the order of the request. Null: there is no such picture, or it is not of this workspace. `width` and `height` are those of pictures of people. Without `email_id`, the contact card and its QR code are those of the placeholders, and pictures of people are null: the value of the field is their address. Nothing is stored.',
    body: plainBody(PicturesInput, { problems: pictureProblems }),
    answers: { 200: dataOf(PictureAddresses) },
    handle: async ({ db, by: { workspaceId }, body }) =>
      ok(await pictureAddresses(db, { ...deps, workspaceId }, body)),
  }),
  route({
    name: 'content.person',
    method: 'GET',
    path: '/v1/content/person',
    access: 'signatures:read',
    summary: 'The values that fill a signature',
    description:
      'For clients that render content by themselves with `@signoff/render`: the values of an address as the renderer gets them, with the computed ones, or sample values. Values that the person lacks are null; the fallbacks of smart fields are in `GET /v1/smart_fields`. `running_campaigns` names the campaigns that the address sees now, with the banner where a campaign compares several. An unknown address gets 404.',
    query: PersonQuery,
    answers: { 200: dataOf(RenderedPerson) },
    handle: async ({ db, by: { workspaceId }, query }) =>
      ok(await renderedPerson(db, { ...deps, workspaceId }, query)),
  }),
]
