// The records that content names, read one by one: content names few of them.
import type { ContentReference } from '@signoff/render'
import { api, queryClient } from '#api/client.ts'
import { smartFieldsQuery } from '#api/smart-fields.ts'
import { isSignoffError } from '#state/errors.ts'
import type { IsKnown } from '../model/copied-blocks.ts'

const staleTime = 60_000

export const assetQuery = (id: string) => ({
  queryKey: ['assets', id],
  queryFn: async () => await api.assets.get(id),
  staleTime,
})

export const campaignQuery = (id: string) => ({
  queryKey: ['campaigns', id, 'banner'],
  queryFn: async () => await api.marketingCampaigns.get(id),
  staleTime,
})

// Which of the pictures, fields and campaigns that content names exist in this workspace.

/** Without a connection they count as known: the save says it later. */
const isMissing = async (read: () => Promise<unknown>): Promise<boolean> => {
  try {
    await read()
    return false
  } catch (error) {
    return isSignoffError(error) && error.status === 404
  }
}

async function readMissing(references: readonly ContentReference[]): Promise<ReadonlySet<string>> {
  const fields = references.some(({ kind }) => kind === 'smart_field')
    ? await queryClient.fetchQuery(smartFieldsQuery).catch(() => undefined)
    : undefined
  const fieldIds = fields && new Set(fields.map(({ id }) => id))
  const isGone = (kind: ContentReference['kind'], id: string): boolean | Promise<boolean> => {
    if (kind === 'smart_field') return fieldIds !== undefined && !fieldIds.has(id)
    return isMissing(() =>
      kind === 'asset' ? queryClient.fetchQuery(assetQuery(id)) : queryClient.fetchQuery(campaignQuery(id)),
    )
  }
  const distinct = new Map(references.map(({ kind, id }) => [`${kind} ${id.toLowerCase()}`, kind]))
  const missing = new Set<string>()
  await Promise.all(
    [...distinct].map(async ([key, kind]) => {
      if (await isGone(kind, key.slice(kind.length + 1))) missing.add(key)
    }),
  )
  return missing
}

export async function knownReferences(references: readonly ContentReference[]): Promise<IsKnown> {
  const missing = references.length === 0 ? new Set() : await readMissing(references)
  return (kind, id) => !missing.has(`${kind} ${id.toLowerCase()}`)
}
