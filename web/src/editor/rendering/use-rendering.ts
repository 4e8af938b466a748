// Content as it looks for a person, rendered in the browser on every change.
import type { Content, RenderedCampaign, Surroundings } from '@signoff/render'
import type { RunningCampaign } from '@signoff/sdk'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { PlaceholderMessages } from '../blocks/descriptor.ts'
import { bannerContent, bannerHook, type CampaignChoice, shownCampaigns } from './banners.ts'
import { type Drawing, draw } from './draw.ts'
import { personOf, withPlaceholderPicture } from './picture-hooks.ts'
import { namedIn } from './surroundings.ts'
import { useBannerCampaigns, usePictureRefresh, useStableIds, useSurroundings } from './use-surroundings.ts'
import { emailIdOf, type PersonChoice, renderedPersonQuery } from './workspace-queries.ts'

export interface RenderingOptions {
  readonly person: PersonChoice
  readonly campaign: CampaignChoice
  /** The signature whose campaigns run; undefined for content that belongs to none. */
  readonly signatureId?: string | undefined
  /** The same function on every call, as it is a part of what is compiled. */
  readonly marks?: Surroundings['mark'] | undefined
  /** For the canvas; the same object on every call. It needs `marks`. */
  readonly placeholders?: PlaceholderMessages | undefined
}

const noneRunning: readonly RunningCampaign[] = []

/** Undefined until the values of the person are known, and while it is not needed. */
export function useRendering(tree: Content, options: RenderingOptions, isNeeded = true): Drawing | undefined {
  const { campaign, marks, placeholders } = options
  const emailId = emailIdOf(options.person)
  const { data: rendered, dataUpdatedAt } = useQuery(renderedPersonQuery(options.person, options.signatureId))
  usePictureRefresh(emailId, dataUpdatedAt)
  const running = rendered?.running_campaigns ?? noneRunning
  const named = useStableIds(useMemo(() => namedIn(tree), [tree]).campaigns)
  const ids = useStableIds([...new Set([...named, ...shownCampaigns(campaign, running, named)])].sort())
  const campaigns = useBannerCampaigns(ids)
  const personSurroundings = useSurroundings({
    contents: [
      tree,
      ...[...campaigns.values()].map(loaded => (loaded ? bannerContent(loaded, running) : null)),
    ],
    campaigns,
    emailId,
    ownAddress: rendered?.own_address,
    marks,
  })
  const person = useMemo(() => rendered && personOf(rendered), [rendered])
  const inputs = useMemo(() => {
    if (!personSurroundings) return undefined
    const loadedCampaigns = new Map([...campaigns].flatMap(([id, loaded]) => (loaded ? [[id, loaded]] : [])))
    const surroundings = placeholders
      ? withPlaceholderPicture(personSurroundings.surroundings)
      : personSurroundings.surroundings
    const banner: (id: string | undefined) => RenderedCampaign | null = bannerHook(
      campaign,
      running,
      loadedCampaigns,
      surroundings,
    )
    return { surroundings, placeholders, hooks: { ...personSurroundings.hooks, campaign: banner } }
  }, [personSurroundings, campaigns, campaign, running, placeholders])
  return useMemo(
    () => (isNeeded && inputs && person ? draw({ tree, person, ...inputs }) : undefined),
    [isNeeded, tree, person, inputs],
  )
}
