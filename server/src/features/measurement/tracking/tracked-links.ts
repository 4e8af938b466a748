// Makes the tracked addresses of the signatures that go to mailboxes: one for the pixel, and one for each link.
import { hash } from 'node:crypto'
import { type Content, type LinkSource, linkSources, type RenderHooks } from '@signoff/render'
import type { KeyDeriver } from '#kernel/base/public-address.ts'
import { tokenKeyBytes } from '#kernel/base/sealed-tokens.ts'
import type { Db } from '#kernel/db/db.ts'
import { findTrackedWorkspace, type LinkHolder, numberLinkSet } from './queries.ts'
import { createTokens, keyContext, maxLinks, type Tokens } from './token.ts'

export type LoadTokens = () => Promise<Tokens>

/** Derives the keys on first use, so that building the route table (for `signoff routes`, for example) needs no key. */
export function tokensFrom(keys: KeyDeriver): LoadTokens {
  let tokens: Promise<Tokens> | undefined
  return () => {
    tokens ??= keys.derive(keyContext, tokenKeyBytes).then(createTokens)
    return tokens
  }
}

/** The numbered links of a signature, a variant or a banner. */
export interface LinkSet {
  readonly number: number
  /** The position of each link, from 1, by the id of its block or token. */
  readonly positions: ReadonlyMap<string, number>
  /** 0 (the pixel) and the positions of all links. */
  readonly numbers: readonly number[]
}

/** Makes the tracked addresses of one workspace. */
export interface Tracker {
  /** Call it once per template, not once per person: it queries the database. */
  linkSetOf(db: Db, holder: LinkHolder, content: Content): Promise<LinkSet>
  /** A set with links of the same length that is not stored: its tokens lead nowhere. */
  sampleLinkSetOf(content: Content, number: number): LinkSet
  /**
   * The functions that render one person's links and pixel. `campaign` returns the link set of a banner, by campaign
   * id.
   */
  fillFor(
    emailNumber: number,
    signature: LinkSet,
    campaign?: (id: string) => LinkSet | undefined,
  ): Required<Pick<RenderHooks, 'link' | 'pixel'>>
}

export interface Tracking {
  /** Null when tracking is off in this workspace. */
  trackerOf(db: Db, workspaceId: string): Promise<Tracker | null>
}

interface Deps {
  readonly publicUrl: string
  readonly keys: KeyDeriver
}

export function createTracking({ publicUrl, keys }: Deps): Tracking {
  const tokensReady = tokensFrom(keys)
  return {
    async trackerOf(db, workspaceId) {
      const workspace = await findTrackedWorkspace(db, workspaceId)
      if (!workspace?.isTracking) return null
      return createTracker(await tokensReady(), publicUrl, workspace)
    },
  }
}

function numberedLinks(links: readonly LinkSource[], number: number): LinkSet {
  const positions = new Map(links.slice(0, maxLinks).map(({ id }, index) => [id, index + 1]))
  return {
    number,
    positions,
    numbers: Array.from({ length: Math.max(0, ...positions.values()) + 1 }, (_, n) => n),
  }
}

function createTracker(
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
      return numberedLinks(links, number)
    },
    sampleLinkSetOf: (content, number) => numberedLinks(linkSources(content), number),
    fillFor(email, signature, campaignOf = () => undefined) {
      const fields = { workspace, email, signature: signature.number }
      const tokensByCampaign = new Map<number, readonly string[]>()
      /** The tokens of the pixel and of all links, by position. */
      const tokensOf = (campaign: LinkSet | null): readonly string[] => {
        const number = campaign?.number ?? 0
        const cached = tokensByCampaign.get(number)
        if (cached) return cached
        const campaignTokens = tokens.makeEach(
          { ...fields, campaign: number },
          (campaign ?? signature).numbers,
        )
        tokensByCampaign.set(number, campaignTokens)
        return campaignTokens
      }
      return {
        link({ id, url, campaignId }) {
          const campaign = campaignId === null ? null : campaignOf(campaignId)
          const link = (campaign === null ? signature : campaign)?.positions.get(id)
          return campaign === undefined || link === undefined
            ? url
            : `${publicUrl}/c/${tokensOf(campaign)[link]}`
        },
        pixel([drawnCampaign]) {
          return `${publicUrl}/o/${tokensOf((drawnCampaign && campaignOf(drawnCampaign.id)) ?? null)[0]}`
        },
      }
    },
  }
}
