// Gives what is drawn for mailboxes the addresses that count: one pixel, and one for each link.
import { hash } from 'node:crypto'
import { type Content, type Fill, linkSources } from '@signoff/render'
import type { Db } from '#kernel/db.ts'
import { findWorkspace, type LinkHolder, numberLinkSet } from './queries.ts'
import { createTokens, keyBytes, keyContext, mostLinks, type Tokens } from './token.ts'

/** Who keeps the keys; `secrets.ts` does. */
export interface KeyDeriver {
  derive(context: string, bytes: number): Promise<readonly Buffer[]>
}

export type TokensReady = () => Promise<Tokens>

/** Made with the first use: reading the table of routes takes no key. */
export function tokensFrom(keys: KeyDeriver): TokensReady {
  let tokens: Promise<Tokens> | undefined
  return () => {
    tokens ??= keys.derive(keyContext, keyBytes).then(createTokens)
    return tokens
  }
}

/** The links of something that is drawn. */
export interface LinkSet {
  readonly number: number
  /** Which link it is, from 1, by the id of its block or run. */
  readonly places: ReadonlyMap<string, number>
  /** 0, which is the pixel, and all links. */
  readonly numbers: readonly number[]
}

/** For one workspace. */
export interface Tracker {
  /** To be asked for once per template, not per person. */
  linkSetOf(db: Db, holder: LinkHolder, content: Content): Promise<LinkSet>
  /** For one person. `campaign` tells the source of a banner that is drawn for them, by the campaign's id. */
  fillFor(
    emailNumber: number,
    signature: LinkSet,
    campaign?: (id: string) => LinkSet | undefined,
  ): Required<Pick<Fill, 'link' | 'pixel'>>
}

export interface Tracking {
  /** Null when this workspace does not track. */
  trackerOf(db: Db, workspaceId: string): Promise<Tracker | null>
}

interface Settings {
  readonly publicUrl: string
  readonly keys: KeyDeriver
}

export function createTracking({ publicUrl, keys }: Settings): Tracking {
  const ready = tokensFrom(keys)
  return {
    async trackerOf(db, workspaceId) {
      const workspace = await findWorkspace(db, workspaceId)
      if (!workspace?.isTracking) return null
      return trackerWith(await ready(), publicUrl, workspace)
    },
  }
}

function trackerWith(
  tokens: Tokens,
  publicUrl: string,
  { id: workspaceId, number: workspace }: { readonly id: string; readonly number: number },
): Tracker {
  return {
    async linkSetOf(db, holder, content) {
      const links = linkSources(content)
      const number = await numberLinkSet(
        db,
        workspaceId,
        holder,
        links,
        hash('sha256', JSON.stringify(links)),
      )
      const places = new Map(links.slice(0, mostLinks).map(({ id }, index) => [id, index + 1]))
      return {
        number,
        places,
        numbers: Array.from({ length: Math.max(0, ...places.values()) + 1 }, (_, n) => n),
      }
    },
    fillFor(email, signature, campaignOf = () => undefined) {
      const marks = { workspace, email, signature: signature.number }
      const made = new Map<number, readonly string[]>()
      /** By their numbers. */
      const tokensOf = (campaign: LinkSet | null): readonly string[] => {
        const number = campaign?.number ?? 0
        const before = made.get(number)
        if (before) return before
        const all = tokens.makeEach({ ...marks, campaign: number }, (campaign ?? signature).numbers)
        made.set(number, all)
        return all
      }
      return {
        link({ id, url, campaignId }) {
          const campaign = campaignId === null ? null : campaignOf(campaignId)
          const link = (campaign === null ? signature : campaign)?.places.get(id)
          return campaign === undefined || link === undefined
            ? url
            : `${publicUrl}/c/${tokensOf(campaign)[link]}`
        },
        pixel([shown]) {
          return `${publicUrl}/o/${tokensOf((shown && campaignOf(shown.id)) ?? null)[0]}`
        },
      }
    },
  }
}
