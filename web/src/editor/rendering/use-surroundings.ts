// The surroundings of the renderer, from queries. They change when data or pictures arrive, and stay the same object
// otherwise.
import type { Content, Surroundings } from '@signoff/render'
import { onlineManager, type UseQueryResult, useQueries, useQuery } from '@tanstack/react-query'
import { useCallback, useEffect, useMemo, useSyncExternalStore } from 'react'
import { api } from '#api/client.ts'
import { smartFieldsQuery } from '#api/smart-fields.ts'
import { isSignoffError } from '#state/errors.ts'
import type { LoadedCampaign } from './banners.ts'
import { PictureCache, ShownPictures } from './picture-cache.ts'
import { type CardHooks, pictureHooks } from './picture-hooks.ts'
import { assetQuery, campaignQuery } from './record-queries.ts'
import { namedIn, surroundingsFrom } from './surroundings.ts'

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
export function useStableIds(ids: readonly string[]): readonly string[] {
  const key = ids.join(' ')
  return useMemo(() => (key === '' ? [] : key.split(' ')), [key])
}

export const useBannerCampaigns = (ids: readonly string[]): Loaded<LoadedCampaign> =>
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

export interface PersonSurroundings {
  readonly surroundings: Surroundings
  readonly hooks: CardHooks
}

/** Undefined until the smart fields and the person are known. */
export function useSurroundings(options: SurroundingsOptions): PersonSurroundings | undefined {
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
export function usePictureRefresh(emailId: string | null, readAt: number): void {
  useEffect(() => {
    if (emailId !== null) pictures.refresh(emailId)
  }, [emailId, readAt])
}
