// Tools about campaigns: banners in signatures, for some people and some time.
import type { JsonRecord } from '../api.ts'
import { invalidArguments } from '../failure.ts'
import { schemaOf } from '../schemas.ts'
import { listTool, routeTool, type ToolDefinition } from '../tool.ts'

const names = { id: 'campaign_id' }
const about = {
  start_time: 'Null: as soon as it is scheduled. With an offset, or local to time_zone.',
  end_time: 'Null: until it is paused.',
  content: 'A content tree; see get_content_schema. Null shows nothing.',
  variants: 'Banners to be compared, in the place of content. Keep the ids.',
}

const listCampaigns = listTool({
  name: 'list_campaigns',
  title: 'Campaigns',
  description:
    'The campaigns of the workspace, newest first, with targeting, times and status, without their banners. status: active lists those that recipients see now.',
  route: 'marketingCampaigns.list',
  rows: 'campaigns',
  shape: ({ content: _, variants, ...campaign }) => ({
    ...campaign,
    variant_count: Array.isArray(variants) ? variants.length : 0,
  }),
})

interface CampaignWarning {
  readonly code: string
  readonly message: string
  readonly signatures: readonly JsonRecord[]
}

/** The advice to an agent about each warning. */
const remedies: Readonly<Record<string, string>> = {
  no_audience: 'Mend what is named below, or change the conditions or signatures with update_campaign.',
  no_banner_slot:
    'Add a marketing block at the end of their draft_content (get_signature, update_signature), then publish_signature; ask the user first.',
  no_banner: 'Give it content with update_campaign.',
  overlaps_campaign: 'If that is not meant, change times or targeting with update_campaign.',
}

/** Begins with a line break. Empty without warnings. */
const wordsOfWarnings = ({ warnings }: JsonRecord): string =>
  ((warnings ?? []) as readonly CampaignWarning[])
    .map(({ code, message, signatures }) => {
      const ids = signatures.map(({ id }) => `signature_id ${id}`).join(', ')
      return `\n- ${message}${ids && ` (${ids})`} ${remedies[code] ?? ''}`.trimEnd()
    })
    .join('')

const audience = listTool({
  name: 'preview_campaign_audience',
  title: 'Whom a campaign would reach',
  description:
    'The addresses that a campaign would reach if it were live now, each with the signature that would show it, and warnings about what people would not see. Call it before set_campaign_state.',
  route: 'marketingCampaigns.audience',
  names,
  rows: 'addresses',
  note: wordsOfWarnings,
})

const createCampaign = routeTool({
  name: 'create_campaign',
  title: 'Create a campaign',
  description:
    'Creates a campaign as a draft: a banner that appears in the marketing block of signatures. Times without an offset are local to time_zone. Nothing is shown before set_campaign_state (schedule). Next: get_campaign with picture: true, preview_campaign_audience.',
  effect: 'creates',
  route: 'marketingCampaigns.create',
  about,
  summary: ({ data }) => `Created as a draft: campaign_id ${(data as JsonRecord).id}.`,
})

const updateCampaign = routeTool({
  name: 'update_campaign',
  title: 'Change a campaign',
  description:
    'Changes a campaign that has not ended; only what you send changes. A live campaign changes at once for the people who see it: ask the user first. An end_time in the past ends it.',
  effect: 'overwrites',
  route: 'marketingCampaigns.update',
  names,
  about,
  summary: () => 'The campaign is changed.',
})

const actions = ['schedule', 'pause', 'resume'] as const

const setCampaignState: ToolDefinition = {
  name: 'set_campaign_state',
  title: 'Schedule, pause or resume a campaign',
  description:
    'schedule lets a campaign go live at its start_time, or at once; pause takes it down; resume lets a paused one go on. Ask the user before schedule and resume: recipients see the banner. With send_email, schedule also mails the people it reaches. Read the warnings of the answer: a campaign can be active and shown to no person.',
  effect: 'overwrites',
  routes: actions.map(action => `marketingCampaigns.${action}`),
  input: () =>
    schemaOf({ campaign_id: { type: 'string' }, action: { type: 'string', enum: [...actions] } }, [
      'campaign_id',
      'action',
    ]),
  async run({ campaign_id: id, action }, calls) {
    const chosen = actions.find(name => name === action)
    if (!chosen)
      throw invalidArguments([
        {
          field: 'action',
          code: 'not_allowed',
          message: 'action is not one of the allowed values',
          allowed: actions,
        },
      ])
    const answer = await calls.json(`marketingCampaigns.${chosen}`, { id })
    const { content: _, variants: __, ...data } = answer.data as JsonRecord
    const summary = `The campaign is ${data.status} now.${wordsOfWarnings(answer)}`
    return { summary, answer: { ...answer, data } }
  },
}

export const campaignTools: readonly ToolDefinition[] = [
  listCampaigns,
  audience,
  createCampaign,
  updateCampaign,
  setCampaignState,
]
