// Content as it looks for a person, rendered in the browser on every change.
import type { Content, RenderedCampaign, Surroundings } from '@signoff/render'
import type { RunningCampaign } from '@signoff/sdk'
import { onlineManager, type UseQueryResult, useQueries, useQuery } from '@tanstack/react-query'
import { useCallback, useEffect, useMemo, useSyncExternalStore } from 'react'
import { api } from '#api/client.ts'
import { smartFieldsQuery } from '#api/smart-fields.ts'
import { isSignoffError } from '#state/errors.ts'
import type { PlaceholderMessages } from '../blocks/descriptor.ts'
import {
  bannerContent,
  bannerHook,
  type CampaignChoice,
  type LoadedCampaign,
  shownCampaigns,
} from './banners.ts'
import { type Drawing, draw } from './draw.ts'
import { PictureCache, ShownPictures } from './picture-cache.ts'
import { type CardHooks, personOf, pictureHooks, withPlaceholderPicture } from './picture-hooks.ts'
import { assetQuery, campaignQuery } from './record-queries.ts'
import { namedIn, surroundingsFrom } from './surroundings.ts'
import { emailIdOf, type PersonChoice, renderedPersonQuery } from './workspace-queries.ts'

// The surroundings of the renderer, from queries. They change when data or pictures arrive, and stay the same object
// otherwise.

/** One for all renderings: a page shows the same pictures in many places. */
const pictures = new PictureCache((email_id, requests) =>
  api.content.pictures({ email_id, pictures: [...requests] }),
)
/** A file that cannot be loaded is shown as broken. */
const shownPictures = new ShownPictures(pictures, async url => {
  const image = new Image()
  image.src = url
  await image.decode().catch(() => undefined)
})
onlineManager.subscribe(isOnline => isOnline && pictures.forgetFailures())

type Loaded<Data> = ReadonlyMap<string, Data | null | undefined>

/** Undefined while it loads, null when it does not exist. */
const loadedOf = <Data>({ data, error }: UseQueryResult<Data>): Data | null | undefined =>
  data ?? (isSignoffError(error) && error.status === 404 ? null : undefined)

/** Records by id, read one by one: content names few of them. `ids` must stay the same array while it has the same ids. */
function useRecords<Data>(ids: readonly string[], query: (id: string) => RecordQuery<Data>): Loaded<Data> {
  const combine = useCallback(
    (results: UseQueryResult<Data>[]): Loaded<Data> =>
      new Map(results.map((result, index) => [ids[index] ?? '', loadedOf(result)])),
    [ids],
  )
  return useQueries({ queries: ids.map(query), combine }) as Loaded<Data>
}

interface RecordQuery<Data> {
  readonly queryKey: readonly unknown[]
  readonly queryFn: () => Promise<Data>
  readonly staleTime: number
}

/** The same array while the ids are the same. */
function useStableIds(ids: readonly string[]): readonly string[] {
  const key = ids.join(' ')
  return useMemo(() => (key === '' ? [] : key.split(' ')), [key])
}

const useBannerCampaigns = (ids: readonly string[]): Loaded<LoadedCampaign> =>
  useRecords<LoadedCampaign>(ids, campaignQuery)

interface SurroundingsOptions {
  /** The content, and the banners that are drawn in it. */
  readonly contents: readonly (Content | null)[]
  readonly campaigns: Loaded<LoadedCampaign>
  /** The address whose pictures are shown; null for samples. */
  readonly emailId: string | null
  /** From the answer with the person's values. */
  readonly ownAddress: string | undefined
  readonly marks?: Surroundings['mark'] | undefined
}

interface PersonSurroundings {
  readonly surroundings: Surroundings
  readonly hooks: CardHooks
}

/** Undefined until the smart fields and the person are known. */
function useSurroundings(options: SurroundingsOptions): PersonSurroundings | undefined {
  const { contents, campaigns, emailId, ownAddress, marks } = options
  const { data: fields } = useQuery(smartFieldsQuery)
  const assets = useRecords(useStableIds(namedIn(...contents).assets), assetQuery)
  const version = useSyncExternalStore(pictures.subscribe, pictures.getVersion)
  // Depends on the version too: the renderer must ask again for the pictures that have arrived.
  return useMemo(() => {
    if (!fields || ownAddress === undefined) return undefined
    const { surroundings, card } = pictureHooks(shownPictures, emailId)
    const workspace = surroundingsFrom({ fields, assets, campaigns, ownAddress }, surroundings)
    return { surroundings: marks ? { ...workspace, mark: marks } : workspace, hooks: card }
  }, [fields, assets, campaigns, ownAddress, emailId, marks, version])
}

/** After the values of a person were read again, the pictures are too. */
function usePictureRefresh(emailId: string | null, readAt: number): void {
  useEffect(() => {
    if (emailId !== null) pictures.refresh(emailId)
  }, [emailId, readAt])
}

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
