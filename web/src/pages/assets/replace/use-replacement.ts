// The replacement of a picture in all its places, one after the other, with what became of each.
import type { Asset, Content, RequestOptions } from '@signoff/sdk'
import { useState } from 'react'
import { api, queryClient, type Scope } from '#api/client.ts'
import { useCan } from '#api/session.ts'
import { showsAsset, withReplacedAsset } from '#records/assets/replaced-asset.ts'
import { isStale } from '#state/errors.ts'
import { type Versioned, versioned } from '#state/versioned.ts'
import type { AssetUse } from '../asset-uses.ts'

interface Replaced {
  /** Mails show the old picture until the draft is published. */
  readonly mustPublish: boolean
  /** The draft has other changes too, which are published with it. */
  readonly hasOtherChanges: boolean
}

const live: Replaced = { mustPublish: false, hasOtherChanges: false }

/** A person who saves at the same moment comes first; the new content is read again. */
const maxAttempts = 3

async function retried(work: () => Promise<Replaced>, attempt = 1): Promise<Replaced> {
  try {
    return await work()
  } catch (error) {
    if (isStale(error) && attempt < maxAttempts) return retried(work, attempt + 1)
    throw error
  }
}

const onlyIf = ({ etag }: Versioned<unknown>): RequestOptions => (etag === undefined ? {} : { ifMatch: etag })

interface Drafted {
  readonly content: Content | null
  readonly draft_content: Content | null
}

/** A signature or a variant: the draft gets the new picture. Without a draft, one is made of what is published. */
async function replaceInDraft(
  read: Versioned<Drafted>,
  oldId: string,
  asset: Asset,
  save: (content: Content) => Promise<unknown>,
): Promise<Replaced> {
  const { content, draft_content: draft } = read.data
  const before = draft ?? content
  const after = before && withReplacedAsset(before, oldId, asset)
  if (after && after !== before) await save(after)
  const isChanged = draft !== null && JSON.stringify(draft) !== JSON.stringify(content)
  return { mustPublish: showsAsset(content, oldId), hasOtherChanges: content !== null && isChanged }
}

async function replaceInCampaign(id: string, oldId: string, asset: Asset): Promise<Replaced> {
  const read = await versioned(api.marketingCampaigns.get(id))
  const { content, variants } = read.data
  const change = (each: Content | null) => each && withReplacedAsset(each, oldId, asset)
  const [banner, compared] = [
    change(content),
    variants.map(each => ({ ...each, content: change(each.content) })),
  ]
  const patch = {
    ...(banner !== content && { content: banner }),
    ...(variants.some((each, index) => each.content !== compared[index]?.content) && { variants: compared }),
  }
  if (Object.keys(patch).length > 0) await api.marketingCampaigns.update(id, patch, onlyIf(read))
  return live
}

async function replaceLogo(oldId: string, asset: Asset): Promise<Replaced> {
  const read = await versioned(api.brand.get())
  if (read.data.logo_asset_id === oldId) await api.brand.update({ logo_asset_id: asset.id }, onlyIf(read))
  return live
}

/**
 * Puts a new picture into one place of the old one. Each place is one write with `If-Match`, so nothing is half
 * written.
 */
const replaceUse = ({ kind, ownerId }: AssetUse, oldId: string, asset: Asset): Promise<Replaced> =>
  retried(async () => {
    if (kind === 'logo') return replaceLogo(oldId, asset)
    if (kind === 'campaign') return replaceInCampaign(ownerId, oldId, asset)
    if (kind === 'signature') {
      const read = await versioned(api.signatures.get(ownerId))
      return replaceInDraft(read, oldId, asset, async content =>
        api.signatures.update(ownerId, { draft_content: content }, onlyIf(read)),
      )
    }
    const read = await versioned(api.signatures.variants.get(ownerId, kind))
    return replaceInDraft(read, oldId, asset, async content =>
      api.signatures.variants.update(ownerId, kind, { draft_content: content }, onlyIf(read)),
    )
  })

export type ReplacementOutcome =
  | ({ readonly state: 'done' } & Replaced)
  | { readonly state: 'running' }
  | { readonly state: 'failed'; readonly error: unknown }

const scopes: Readonly<Record<AssetUse['kind'], Scope>> = {
  signature: 'signatures:write',
  reply: 'signatures:write',
  internal: 'signatures:write',
  campaign: 'marketing_campaigns:write',
  logo: 'workspace:write',
}

const changed = [['assets'], ['signatures'], ['campaigns'], ['brand']] as const

export function useReplacement(oldId: string) {
  const can = useCan()
  const [outcomes, setOutcomes] = useState<ReadonlyMap<string, ReplacementOutcome>>(new Map())
  const [isRunning, setRunning] = useState(false)
  const mayChange = ({ kind }: AssetUse): boolean => can(scopes[kind])
  const set = (id: string, outcome: ReplacementOutcome) =>
    setOutcomes(all => new Map([...all, [id, outcome]]))
  const run = async (uses: readonly AssetUse[], asset: Asset) => {
    setRunning(true)
    for (const use of uses.filter(mayChange)) {
      set(use.id, { state: 'running' })
      try {
        set(use.id, { state: 'done', ...(await replaceUse(use, oldId, asset)) })
      } catch (error) {
        set(use.id, { state: 'failed', error })
      }
    }
    setRunning(false)
    // The list of places stays as it was, so that each keeps its result.
    for (const queryKey of changed)
      void queryClient.invalidateQueries({ queryKey, predicate: ({ queryKey: key }) => key[2] !== 'uses' })
  }
  return { outcomes, isRunning, run, mayChange }
}
