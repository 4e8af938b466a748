import { dataOf, ok, plainBody, type Route, route } from '#kernel/api/routes.ts'
import { detail } from '#kernel/base/errors.ts'
import { type ContentImportDeps, finishImport, prepareImport } from './rules.ts'
import { ContentImport, ContentImportInput, maxImportBytes } from './schemas.ts'

const isTooLarge = (body: object): boolean =>
  'html' in body && typeof body.html === 'string' && Buffer.byteLength(body.html) > maxImportBytes

export const contentImportRoutes = (deps: ContentImportDeps): readonly Route[] => [
  route({
    name: 'content.import',
    method: 'POST',
    path: '/v1/content/import',
    access: 'signatures:write',
    summary: 'Turn the HTML of an existing signature into content',
    description:
      'Reads a signature as HTML and answers with content that `POST /v1/signatures` accepts as `draft_content`. Tables become rows and columns, and links, pictures, dividers, buttons and icons of social networks become blocks. Up to 20 pictures are loaded from their public addresses and stored as assets, each distinct picture once; no signature is created. With `email_id`, texts that are values of that teammate become smart fields, listed in `fields`. Everything that was left out or changed is listed in `not_mapped`.',
    body: plainBody(ContentImportInput, {
      problems: body => (isTooLarge(body) ? [detail('html', 'too_long')] : []),
    }),
    bodyLimit: 2 * 1024 * 1024,
    // The assets that it adds are in the audit log.
    unaudited: true,
    errors: ['too_long', 'too_many', 'too_deep', 'unknown_reference'],
    answers: { 200: dataOf(ContentImport) },
    prepare: ({ db, by, body, reserve }) => prepareImport(db, by.workspaceId, body, { ...deps, reserve }),
    handle: async ({ db, by, body, prepared }) => ok(await finishImport(db, by, body, prepared, deps)),
  }),
]
