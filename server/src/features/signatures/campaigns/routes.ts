import { Type } from 'typebox'
import { type DrawPicture, PictureQuery, pictureOptionsOf } from '#features/content/content/index.ts'
import { ignoredProperty } from '#kernel/api/ignored.ts'
import { Pagination, pageOf, pageQuery, paginate } from '#kernel/api/pagination.ts'
import {
  created,
  dataOf,
  jsonText,
  list,
  noContent,
  ok,
  okWith,
  Png,
  type Route,
  route,
  wrappedBody,
} from '#kernel/api/routes.ts'
import { sortQuery } from '#kernel/api/sorting.ts'
import { OneOf, Uuid } from '#kernel/api/validation.ts'
import { ClosedObject } from '#kernel/base/closed.ts'
import { orNotFound } from '#kernel/base/errors.ts'
import { picture } from '#kernel/http/picture-answers.ts'
import { readAudience } from './audience/rules.ts'
import { plannedWarnings, warningsBefore } from './audience/warnings.ts'
import { statuses } from './lifecycle/states.ts'
import { performAction } from './lifecycle/transitions.ts'
import { type CampaignPreviewDeps, previewCampaign, variantIn } from './previews.ts'
import { campaignSorts, findCampaign, findStoredCampaign, listCampaigns } from './queries.ts'
import { resultRoutes } from './results/routes.ts'
import {
  type CampaignDeps,
  changeCampaign,
  createCampaign,
  deleteCampaign,
  storedCampaignProblems,
} from './rules.ts'
import {
  Campaign,
  CampaignInput,
  CampaignPatch,
  CampaignPreview,
  CampaignWarning,
  Reached,
  VariantCount,
} from './schemas.ts'

interface CampaignRouteDeps extends CampaignDeps, CampaignPreviewDeps {
  readonly draw: DrawPicture
}

const path = '/v1/marketing_campaigns'
const emailQuery = {
  email_id: Type.Optional(Uuid({ description: 'Whose values to fill in. Left out: placeholders.' })),
}

const actions = {
  schedule: {
    summary: 'Let a campaign go live at its time',
    description:
      'Lets a draft or paused campaign go live: at `start_time`, or at once when that has passed or is null. Starts and ends happen within five seconds of their time without a request. `warnings` beside `data` says what people would not see of it; the campaign goes live all the same. In any other state the answer is 409 `campaign_state`, which names the allowed actions.',
  },
  pause: {
    summary: 'Take a campaign down until it is resumed',
    description:
      'Takes an active or scheduled campaign down. Its banner leaves exactly the signatures that show it; those mailboxes are written again by jobs.',
  },
  resume: {
    summary: 'Let a paused campaign go on',
    description:
      'Lets a paused campaign go on at once, without mailing people again. Its end must be in the future. To start it anew, schedule it instead. `warnings` beside `data` is as for `schedule`.',
  },
  end: {
    summary: 'End a campaign now',
    description:
      'Ends a scheduled, active or paused campaign for good: `end_time` becomes now, unless the campaign has not begun. Its banner leaves the signatures that show it. An ended campaign cannot be changed or started again; `pause` takes it down for a while.',
  },
} as const

export const campaignRoutes = (deps: CampaignRouteDeps): readonly Route[] => [
  ...resourceRoutes(deps),
  ...actionRoutes(deps),
  ...previewRoutes(deps),
  audienceRoute(deps),
  ...resultRoutes(deps),
]

const resourceRoutes = (deps: CampaignRouteDeps): readonly Route[] => [
  route({
    name: 'marketingCampaigns.list',
    method: 'GET',
    path,
    access: 'marketing_campaigns:read',
    summary: 'List campaigns',
    description:
      'The campaigns of the workspace, newest first, with their content, their targeting and their state. `status`, `search` and `signature_template_id` narrow the list, for example to those that are live now.',
    query: Type.Object({
      ...pageQuery,
      status: Type.Optional(OneOf(statuses)),
      search: Type.Optional(
        Type.String({ maxLength: 200, description: 'Part of the name, in upper or lower case.' }),
      ),
      signature_template_id: Type.Optional(
        Uuid({ description: 'Only those that are for this signature, or for all.' }),
      ),
      ...sortQuery(campaignSorts),
    }),
    answers: { 200: pageOf(Campaign) },
    handle: async ({ db, by, query }) => list(await listCampaigns(db, by.workspaceId, query, query)),
  }),
  route({
    name: 'marketingCampaigns.create',
    method: 'POST',
    path,
    access: 'marketing_campaigns:write',
    summary: 'Create a campaign, as a draft',
    description:
      'Creates a campaign as a draft: a banner for the `marketing` block of signatures, for some people (`smart_fields_conditions`, `signature_template_ids`) and some time. A time without an offset is local to `time_zone`. Nothing is shown before `POST …/schedule`.',
    body: wrappedBody('marketing_campaign', CampaignInput, { storedProblems: storedCampaignProblems }),
    answers: { 201: dataOf(Campaign) },
    async handle({ db, by, body }) {
      const campaign = await createCampaign(db, by, body)
      return created(campaign, `${path}/${campaign.id}`)
    },
  }),
  route({
    name: 'marketingCampaigns.get',
    method: 'GET',
    path: `${path}/{id}`,
    access: 'marketing_campaigns:read',
    summary: 'Read a campaign',
    description:
      'One campaign with its content, its targeting, its times and its state. The `ETag` of the answer can be sent as `If-Match` with a later change, so that two people do not overwrite each other.',
    answers: { 200: dataOf(Campaign) },
    handle: async ({ db, by, params }) => ok(orNotFound(await findCampaign(db, by.workspaceId, params.id))),
  }),
  route({
    name: 'marketingCampaigns.update',
    method: 'PATCH',
    path: `${path}/{id}`,
    access: 'marketing_campaigns:write',
    summary: 'Change a campaign that has not ended',
    description:
      'Changes a campaign in any state but `ended`. A live campaign changes at once, and exactly the mailboxes that are affected are written again. An `end_time` in the past ends it.',
    body: wrappedBody('marketing_campaign', CampaignPatch, { storedProblems: storedCampaignProblems }),
    errors: ['campaign_state'],
    answers: { 200: dataOf(Campaign) },
    handle: async ({ db, by, params, body }) => ok(await changeCampaign(db, by, params.id, body, deps)),
  }),
  route({
    name: 'marketingCampaigns.delete',
    method: 'DELETE',
    path: `${path}/{id}`,
    access: 'marketing_campaigns:delete',
    summary: 'Delete a campaign; a live one is stopped first',
    description:
      'Deletes a campaign for good. A live one is stopped first, and its banner leaves the signatures that show it. Recorded views and clicks keep its name.',
    answers: { 204: null },
    async handle({ db, by, params }) {
      await deleteCampaign(db, by, params.id, deps)
      return noContent()
    },
  }),
]

const actionRoutes = (deps: CampaignRouteDeps): readonly Route[] =>
  (['schedule', 'pause', 'resume', 'end'] as const).map(action => {
    const isStart = action === 'schedule' || action === 'resume'
    return route({
      name: `marketingCampaigns.${action}`,
      method: 'POST',
      path: `${path}/{id}/${action}`,
      access: 'marketing_campaigns:write',
      ...actions[action],
      errors: ['campaign_state'],
      answers: { 200: dataOf(Campaign, isStart ? warningsProperty : {}) },
      async handle({ db, by, params: { id } }) {
        if (!isStart) return ok(await performAction(db, by, id, action, deps))
        // Before the action: when they cannot be found, nothing has happened.
        const warnings = await warningsBefore(db, by.workspaceId, id, action, deps)
        return okWith(await performAction(db, by, id, action, deps), { warnings })
      },
    })
  })

const warningsProperty = {
  warnings: Type.Array(CampaignWarning, {
    description: 'What people would not see. Empty when all is well.',
  }),
}

const previewRoutes = (deps: CampaignRouteDeps): readonly Route[] => [
  route({
    name: 'marketingCampaigns.preview',
    method: 'GET',
    path: `${path}/{id}/preview`,
    access: 'marketing_campaigns:read',
    summary: 'A banner as HTML and as text, without tracking',
    description:
      'The banner as HTML and as plain text, filled with the values of one address or with sample values, without tracking. A warning tells when the campaign has no content.',
    query: Type.Object(emailQuery),
    errors: ['unknown_reference'],
    answers: { 200: dataOf(CampaignPreview) },
    handle: async ({ db, by, params, query }) =>
      ok(await previewCampaign(db, by.workspaceId, params.id, query.email_id, deps)),
  }),
  route({
    name: 'marketingCampaigns.previewPng',
    method: 'GET',
    path: `${path}/{id}/preview.png`,
    access: 'marketing_campaigns:read',
    summary: 'A banner as a picture',
    description:
      'The banner as a PNG, on a wide screen or a phone, light or dark, with the values of one address or with placeholders. `variant_id` chooses one of the compared banners. The picture is drawn by a browser; where the machine has none, the answer is 501 `preview_unavailable`.',
    query: Type.Object({
      ...emailQuery,
      variant_id: Type.Optional(Uuid({ description: 'Which of the compared banners.' })),
      ...PictureQuery.properties,
    }),
    errors: ['preview_unavailable', 'unknown_reference'],
    answers: { 200: Png },
    async handle({ db, by, params, query }) {
      const preview = await previewCampaign(db, by.workspaceId, params.id, query.email_id, deps)
      const { html } = query.variant_id === undefined ? preview : variantIn(preview, query.variant_id)
      return picture(await deps.draw(html, pictureOptionsOf(query)))
    },
  }),
]

const audienceRoute = (deps: CampaignRouteDeps): Route =>
  route({
    name: 'marketingCampaigns.audience',
    method: 'GET',
    path: `${path}/{id}/audience`,
    access: 'marketing_campaigns:read',
    summary: 'The addresses that a campaign would reach if it were live',
    description:
      'The addresses that the campaign would reach if it were live now, each with the signature that would show it and, for A/B tests, the variant. `warnings` says what people would not see, as the answer of `schedule` or `resume` will. Use it before scheduling.',
    query: Type.Object(pageQuery),
    answers: {
      200: ClosedObject({
        data: Type.Array(Reached),
        pagination: Pagination,
        variants: Type.Array(VariantCount),
        ...warningsProperty,
        ...ignoredProperty,
      }),
    },
    async handle({ db, by, params, query }) {
      const campaign = orNotFound(await findStoredCampaign(db, by.workspaceId, params.id))
      const { reached, count, variants } = await readAudience(db, by.workspaceId, campaign, query)
      const warnings = await plannedWarnings(db, by.workspaceId, campaign, deps)
      return jsonText(
        JSON.stringify({ data: reached, pagination: paginate(query, count), variants, warnings }),
      )
    },
  })
