// Which banner a marketing block shows: the same choice as that of the service.
import {
  type Content,
  compile,
  type RenderedCampaign,
  type RenderHooks,
  type Surroundings,
} from '@signoff/render'
import type { MarketingCampaign, RunningCampaign } from '@signoff/sdk'

/** The id of a campaign, which is shown in any state and to every person; `running`: what the person sees now. */
export type CampaignChoice = 'none' | 'running' | (string & {})

export type LoadedCampaign = Pick<MarketingCampaign, 'id' | 'content' | 'variants'>
type CampaignHook = NonNullable<RenderHooks['campaign']>

/** The campaigns whose contents are needed: of those that run, the first and those that the content names. */
export function shownCampaigns(
  choice: CampaignChoice,
  running: readonly RunningCampaign[],
  named: readonly string[],
): readonly string[] {
  if (choice === 'none') return []
  if (choice !== 'running') return [choice.toLowerCase()]
  return running.map(({ campaign_id: id }) => id).filter((id, index) => index === 0 || named.includes(id))
}

/** The banner of a campaign. If it compares banners: the one that the service has assigned, else the first. */
export function bannerContent(
  { id, content, variants }: LoadedCampaign,
  running: readonly RunningCampaign[],
): Content | null {
  if (variants.length === 0) return content as Content | null
  const assigned = running.find(({ campaign_id }) => campaign_id === id)
  const banner = assigned ? variants.find(variant => variant.id === assigned.variant_id) : variants[0]
  return (banner?.content ?? null) as Content | null
}

/** The hook for the renderer. Banners are compiled when a block asks for them. */
export function bannerHook(
  choice: CampaignChoice,
  running: readonly RunningCampaign[],
  loaded: ReadonlyMap<string, LoadedCampaign>,
  // The blocks of a banner are not blocks of the signature: they have no marks.
  { mark: _, ...surroundings }: Surroundings,
): CampaignHook {
  const compiled = new Map<string, RenderedCampaign | null>()
  const bannerOf = (id: string): RenderedCampaign | null => {
    const campaign = loaded.get(id)
    const stored = compiled.get(id)
    if (stored !== undefined || !campaign) return stored ?? null
    const content = bannerContent(campaign, running)
    const banner = content && { id, template: compile(content, surroundings) }
    compiled.set(id, banner)
    return banner
  }
  if (choice === 'none') return () => null
  if (choice !== 'running') {
    const id = choice.toLowerCase()
    return named => (named === undefined || named.toLowerCase() === id ? bannerOf(id) : null)
  }
  const [first] = running
  return named => {
    const id = named === undefined ? first?.campaign_id : named.toLowerCase()
    return id !== undefined && running.some(({ campaign_id }) => campaign_id === id) ? bannerOf(id) : null
  }
}
