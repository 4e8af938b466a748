import { dataOf, maybeWrappedBody, ok, type Route, route } from '#kernel/api/routes.ts'
import { findBrand } from './queries.ts'
import { type BrandDeps, changeBrand } from './rules.ts'
import { Brand, BrandPatch, brandProblems } from './schemas.ts'

export const brandRoutes = (deps: BrandDeps): readonly Route[] => [
  route({
    name: 'brand.get',
    method: 'GET',
    path: '/v1/workspace/brand',
    access: 'workspace:read',
    summary: 'Read the brand: logo, colours, font and company data',
    description:
      'The brand holds what all signatures of a company share: the logo, four colours, the font, the website, the address, social profiles and the small print. Templates are filled with it. Values that were never set are null; templates then use neutral defaults, and leave out the logo and the social icons.',
    answers: { 200: dataOf(Brand) },
    handle: async ({ db, by }) => ok(await findBrand(db, by.workspaceId)),
  }),
  route({
    name: 'brand.update',
    method: 'PATCH',
    path: '/v1/workspace/brand',
    access: 'workspace:write',
    summary: 'Change the brand',
    description:
      'Changes the values that are sent; null clears a value, and a list of social profiles replaces the previous list. The logo must be an asset of this workspace: while the brand uses it, its file is served even if the asset is deleted. Signatures that already exist stay as they are, except that contact cards and their QR codes show a new website; signatures that are created from a template afterwards get the new brand. Owners and admins can change it.',
    body: maybeWrappedBody('brand', BrandPatch, { problems: brandProblems }),
    errors: ['unknown_reference'],
    answers: { 200: dataOf(Brand) },
    handle: async ({ db, by, body }) => ok(await changeBrand(db, by, body, deps)),
  }),
]
