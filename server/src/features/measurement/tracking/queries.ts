import type { LinkSource } from '@signoff/render'
import { type Db, sql } from '#kernel/db/db.ts'

export interface TrackedWorkspace {
  readonly id: string
  readonly number: number
  readonly isTracking: boolean
  readonly appendsClickId: boolean
  /** The name of the URL parameter for the click id. */
  readonly clickParameter: string
}

const workspaceShape = sql`
  id, number, tracking_enabled as "isTracking", append_click_id as "appendsClickId",
  click_parameter as "clickParameter"`

export const findTrackedWorkspace = (db: Db, id: string) =>
  db.first<TrackedWorkspace>(sql`select ${workspaceShape} from workspaces where id = ${id}`)

export const findWorkspaceByNumber = (db: Db, number: number) =>
  db.first<TrackedWorkspace>(sql`select ${workspaceShape} from workspaces where number = ${number}`)

/** The content that has the links: a signature, a variant of it, or the banner of a campaign. */
export interface LinkHolder {
  readonly kind: 'signature' | 'variant' | 'campaign'
  readonly signatureId?: string | null
  readonly variant?: string | null
  readonly campaignId?: string | null
  readonly campaignVariant?: string | null
}

const columns = ({ kind, signatureId, variant, campaignId, campaignVariant }: LinkHolder) => sql`
  ${kind}::text, ${signatureId ?? null}::uuid, ${variant ?? null}::text,
  ${campaignId ?? null}::uuid, ${campaignVariant ?? null}::text`

/** Returns the number of this set of links. A set keeps its number for ever. */
export async function numberLinkSet(
  db: Db,
  workspaceId: string,
  holder: LinkHolder,
  links: readonly LinkSource[],
  hash: string,
): Promise<number> {
  const find = sql`
    select number from tracked_sources
    where workspace_id = ${workspaceId} and links_hash = ${hash}
      and (kind, signature_id, variant, campaign_id, campaign_variant) is not distinct from (${columns(holder)})`
  for (;;) {
    const row = await db.first<{ number: number }>(find)
    if (row) return row.number
    // Another process can insert the same set at the same time; then the next iteration finds its row.
    await db.query(sql`
      insert into tracked_sources (workspace_id, kind, signature_id, variant, campaign_id, campaign_variant, links, links_hash, created_at)
      select ${workspaceId}::uuid, ${columns(holder)}, ${JSON.stringify(links)}::jsonb, ${hash}, ${new Date()}
      on conflict do nothing`)
  }
}

/** The mailbox, content and link that a token stands for. It never changes. */
export interface TrackedItem {
  readonly workspaceId: string
  readonly emailId: string
  readonly teammateId: string
  readonly signatureId: string
  readonly variant: string | null
  readonly campaignId: string | null
  readonly campaignVariant: string | null
  /** The link at the time the signature was rendered; null for a pixel. */
  readonly link: LinkSource | null
}

interface ItemNumbers {
  readonly email: number
  readonly signature: number
  readonly campaign: number
  readonly link: number
}

export const findTrackedItem = (
  db: Db,
  workspaceId: string,
  { email, signature, campaign, link }: ItemNumbers,
) =>
  db.first<TrackedItem>(sql`
    select e.workspace_id as "workspaceId", e.id as "emailId", e.teammate_id as "teammateId",
      s.signature_id as "signatureId", s.variant, c.campaign_id as "campaignId", c.campaign_variant as "campaignVariant",
      case when ${link}::int > 0 then coalesce(c.links, s.links) -> (${link}::int - 1) end as link
    from emails e
    join tracked_sources s on s.workspace_id = e.workspace_id and s.number = ${signature}
    left join tracked_sources c on c.workspace_id = e.workspace_id and c.number = ${campaign}
    where e.workspace_id = ${workspaceId} and e.number = ${email}`)
