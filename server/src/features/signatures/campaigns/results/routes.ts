import { Type } from 'typebox'
import { analyticsDates } from '#features/measurement/analytics/index.ts'
import { dataOf, ok, plainBody, type Route, route } from '#kernel/api/routes.ts'
import type { CampaignDeps } from '../rules.ts'
import { Campaign } from '../schemas.ts'
import { promoteVariant, readResults } from './rules.ts'
import { CampaignResults, PromotionInput } from './schemas.ts'

export const resultRoutes = (deps: CampaignDeps): readonly Route[] => [
  route({
    name: 'marketingCampaigns.results',
    method: 'GET',
    path: '/v1/marketing_campaigns/{id}/results',
    access: 'analytics:read',
    summary: 'Which of the compared banners is best, and how certain that is',
    description:
      'Views, clicks and rate of each variant, the probability that it is the best of all, the interval of its true rate, and the views that are still missing to be sure. `verdict` and `statement` say the same in plain words. The probabilities are computed from the counts (Bayesian, with a uniform prior), without chance: equal counts give equal answers. Without dates, everything since the campaign was created is counted.',
    query: Type.Object(analyticsDates),
    errors: ['out_of_range'],
    answers: { 200: dataOf(CampaignResults) },
    handle: async ({ db, by, params, query }) => ok(await readResults(db, by.workspaceId, params.id, query)),
  }),
  route({
    name: 'marketingCampaigns.promote',
    method: 'POST',
    path: '/v1/marketing_campaigns/{id}/promote',
    access: 'marketing_campaigns:write',
    summary: 'Show one of the compared banners to all addresses',
    description:
      'Ends a comparison: the weight of the chosen variant becomes 1 and that of all others 0, so every address that the campaign reaches sees it. The other variants stay, with their content and their numbers. Mailboxes that showed another banner are written again by jobs. An ended campaign cannot change: 409 `campaign_state`.',
    body: plainBody(PromotionInput),
    errors: ['campaign_state', 'unknown_reference'],
    answers: { 200: dataOf(Campaign) },
    handle: async ({ db, by, params, body }) =>
      ok(await promoteVariant(db, by, params.id, body.variant_id, deps)),
  }),
]
