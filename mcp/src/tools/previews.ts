// Tools that show a signature or a campaign: as text, and as a picture that models can look at.
import type { JsonRecord } from '../api.ts'
import { maxPictureBytes } from '../bounds.ts'
import { ToolFailure } from '../failure.ts'
import { argumentsOf, schemaOf } from '../schemas.ts'
import type { RouteCalls, ToolDefinition, ToolOutput } from '../tool.ts'

interface DrawnRoutes {
  readonly text: string
  readonly picture: string
}

const picture = { type: 'boolean', default: true, description: 'False: text only, which is faster.' }
const html = { type: 'boolean', default: false, description: 'True: the HTML too.' }

/** A picture that cannot be drawn, or is too large, is left out: the text is the answer too. */
async function pictureOf(
  calls: RouteCalls,
  routeName: string,
  args: JsonRecord,
): Promise<Uint8Array | string> {
  try {
    const bytes = await calls.bytes(routeName, args)
    return bytes.length > maxPictureBytes ? 'The picture is too large to be shown.' : bytes
  } catch (error) {
    if (error instanceof ToolFailure) return `There is no picture: ${error.message}`
    throw error
  }
}

/** The picture has parameters that the text does not have. */
async function preview(
  calls: RouteCalls,
  routes: DrawnRoutes,
  { picture: wantsPicture, html: wantsHtml, theme, width, ...args }: JsonRecord,
): Promise<ToolOutput> {
  const { data } = await calls.json(routes.text, args)
  const { html: markup, variants: _, ...details } = data as JsonRecord
  const drawn =
    wantsPicture === false ? undefined : await pictureOf(calls, routes.picture, { ...args, theme, width })
  const summary = `As plain text:\n${details.text}\n${typeof drawn === 'string' ? drawn : ''}`.trimEnd()
  return {
    summary,
    answer: { data: { ...details, ...(wantsHtml === true && { html: markup }) } },
    ...(drawn instanceof Uint8Array && { picture: drawn }),
  }
}

const signatureRoutes = { text: 'signatures.preview', picture: 'signatures.previewPng' }
const contentRoutes = { text: 'content.preview', picture: 'content.previewPng' }

const previewSignature: ToolDefinition = {
  name: 'preview_signature',
  title: 'Preview a signature',
  description:
    'Shows a signature as a picture and as text: the stored draft (signature_id), or content that is not stored yet (content). With email_id it is filled with the values of that person, otherwise with placeholders. Look at the picture after every change of content. Keep installed_bytes under 10,000: Gmail takes no more. Try theme: dark and width: phone before publishing.',
  effect: 'reads',
  routes: [...Object.values(signatureRoutes), ...Object.values(contentRoutes)],
  input: routeNamed => {
    const { properties } = argumentsOf(routeNamed('signatures.previewPng'), { names: { id: 'signature_id' } })
    return schemaOf({
      ...properties,
      content: { type: 'object', description: 'Instead of signature_id: a content tree.' },
      picture,
      html,
    })
  },
  run({ signature_id, content, source, ...args }, calls) {
    if (content !== undefined && content !== null) return preview(calls, contentRoutes, { content, ...args })
    return preview(calls, signatureRoutes, { id: signature_id, source, ...args })
  },
}

const campaignRoutes = { text: 'marketingCampaigns.preview', picture: 'marketingCampaigns.previewPng' }

const getCampaign: ToolDefinition = {
  name: 'get_campaign',
  title: 'Campaign with its banner',
  description:
    'One campaign with its content, targeting, times and status. With picture: true also the banner as a picture, filled with the values of email_id or with placeholders.',
  effect: 'reads',
  routes: ['marketingCampaigns.get', ...Object.values(campaignRoutes)],
  input: routeNamed => {
    const { properties } = argumentsOf(routeNamed('marketingCampaigns.previewPng'), {
      names: { id: 'campaign_id' },
    })
    return schemaOf({ ...properties, picture: { type: 'boolean', default: false } }, ['campaign_id'])
  },
  async run({ campaign_id: id, picture: wantsPicture, ...args }, calls) {
    const answer = await calls.json('marketingCampaigns.get', { id })
    const { name, status } = answer.data as JsonRecord
    const summary = `The campaign ${JSON.stringify(name)} is ${status}.`
    if (wantsPicture !== true) return { summary, answer }
    const { email_id } = args
    const drawn = await pictureOf(calls, campaignRoutes.picture, { id, ...args })
    const { data } = await calls.json(campaignRoutes.text, { id, email_id })
    const { text, warnings } = data as JsonRecord
    return {
      summary: typeof drawn === 'string' ? `${summary} ${drawn}` : summary,
      answer: { ...answer, preview: { text, warnings } },
      ...(drawn instanceof Uint8Array && { picture: drawn }),
    }
  },
}

export const previewTools: readonly ToolDefinition[] = [previewSignature, getCampaign]
