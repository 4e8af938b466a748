// The replacement of a picture in all its places, one after the other, with what became of each.
import type { Asset } from '@signoff/sdk'
import { useState } from 'react'
import { queryClient, type Scope } from '#api/client.ts'
import { useCan } from '#api/session.tsx'
import type { AssetUse } from '../asset-uses.ts'
import { type Replaced, replaceUse } from './replace-use.ts'

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
