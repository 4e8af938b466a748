import { directoryDomains } from '#features/workspace/workspaces/index.ts'
import { type ListResult, listRows, type PageQuery } from '#kernel/api/pagination.ts'
import { firstIdAt, rowAt } from '#kernel/base/ids.ts'
import { type Db, empty, type Sql, sql } from '#kernel/db/db.ts'
import { lockLiteral, locks } from '#kernel/db/locks.ts'
import { rows } from '#kernel/db/rows.ts'
import { comparisonKey, iso } from '#kernel/db/text.ts'
import type { RelayOutcome } from './schemas.ts'

/** A connected relay of a workspace, with what it needs to know about the workspace. */
export interface StoredRelay {
  readonly workspace_id: string
  readonly id: string
  readonly settings: Readonly<Record<string, unknown>>
  readonly secret: Buffer | null
  readonly own_domains: readonly string[]
  readonly keeps_addresses: boolean
  /** It was disconnected in the last days; its mail can still be in the queue of a mail system. */
  readonly is_gone: boolean
}

const domains = sql`w.domains as of_admin, ${directoryDomains(sql`i.workspace_id`)} as of_directories`

interface WithDomains {
  readonly of_admin: readonly string[]
  readonly of_directories: readonly string[]
}

const withOwnDomains = <Row extends WithDomains>({ of_admin, of_directories, ...row }: Row) => ({
  ...row,
  own_domains: [...new Set([...of_admin, ...of_directories])].sort(),
})

/** The relays of all workspaces. Mail systems try for 5 days, so those that were disconnected are listed for 7. */
export async function storedRelays(db: Db): Promise<StoredRelay[]> {
  const relays = await db.query<Omit<StoredRelay, 'own_domains'> & WithDomains>(sql`
    select i.workspace_id, i.id, i.settings, i.secret, ${domains}, w.relay_addresses as keeps_addresses,
      i.deleted_at is not null or not 'channel' = any(i.capabilities) as is_gone
    from integrations i join workspaces w on w.id = i.workspace_id
    where i.kind = 'smtp_relay' and (i.deleted_at is null or i.deleted_at > now() - interval '7 days')
    order by i.id`)
  return relays.map(withOwnDomains)
}

/** Senders that may use a relay. */
type ClaimedSenders = Pick<StoredRelay, 'id' | 'settings' | 'own_domains'>

/** Senders of the connected relays of all workspaces: they must not claim the same senders. */
export async function claimedSenders(tx: Db): Promise<ClaimedSenders[]> {
  const relays = await tx.query<Omit<ClaimedSenders, 'own_domains'> & WithDomains>(sql`
    select i.id, i.settings, ${domains} from integrations i join workspaces w on w.id = i.workspace_id
    where i.kind = 'smtp_relay' and i.deleted_at is null and 'channel' = any(i.capabilities)`)
  return relays.map(withOwnDomains)
}

export const lockRelayClaims = (tx: Db) =>
  tx.query(sql`select pg_advisory_xact_lock(${lockLiteral(locks.relayClaims)})`)

/** The id of an address of an active teammate. */
export const senderAt = (db: Db, workspaceId: string, address: string) =>
  db.value<string>(sql`
    select e.id from emails e
    join teammates t on t.workspace_id = e.workspace_id and t.id = e.teammate_id and t.active and t.deleted_at is null
    where e.workspace_id = ${workspaceId} and e.address_key = ${comparisonKey(address)} and e.deleted_at is null`)

/** Stored part of a message. */
export interface RelayedMessage {
  readonly workspaceId: string
  readonly integrationId: string
  readonly outcome: RelayOutcome
  readonly reason: string | null
  readonly status: number
  readonly senderDomain: string | null
  readonly recipientDomains: readonly string[]
  readonly recipientsCount: number
  readonly senderAddress: string | null
  readonly recipientAddresses: readonly string[] | null
  readonly bytes: number
  readonly milliseconds: number
  readonly at: Date
}

/** Lists are sent as JSON, because an array of arrays of different lengths is no array in PostgreSQL. */
const listed = (column: Sql): Sql =>
  sql`(select array_agg(item) from jsonb_array_elements_text(${column}) item)`

/** Inserts messages of one workspace. A relay that was disconnected and deleted meanwhile is left out. */
export const insertRelayMessages = (workspaceId: string, messages: readonly RelayedMessage[]): Sql => sql`
  insert into relay_messages (workspace_id, id, integration_id, outcome, reason, status, sender_domain, recipient_domains,
    recipients_count, sender_address, recipient_addresses, bytes, milliseconds, created_at)
  select ${workspaceId}::uuid, m.id, m.integration_id, m.outcome, m.reason, m.status, m.sender_domain,
    coalesce(${listed(sql`m.recipient_domains`)}, '{}'), m.recipients_count, m.sender_address,
    case when m.recipient_addresses is null then null else coalesce(${listed(sql`m.recipient_addresses`)}, '{}') end,
    m.bytes, m.milliseconds, m.created_at
  from ${rows(
    'm',
    messages.map(message => ({ ...message, id: rowAt(message.at).id })),
    {
      id: ['uuid', message => message.id],
      integration_id: ['uuid', message => message.integrationId],
      outcome: ['text', message => message.outcome],
      reason: ['text', message => message.reason],
      status: ['int', message => message.status],
      sender_domain: ['text', message => message.senderDomain],
      recipient_domains: ['jsonb', message => JSON.stringify(message.recipientDomains)],
      recipients_count: ['int', message => message.recipientsCount],
      sender_address: ['text', message => message.senderAddress],
      recipient_addresses: [
        'jsonb',
        message => message.recipientAddresses && JSON.stringify(message.recipientAddresses),
      ],
      bytes: ['int', message => message.bytes],
      milliseconds: ['int', message => message.milliseconds],
      created_at: ['timestamptz', message => message.at],
    },
  )}
  where exists (select from integrations i where i.workspace_id = ${workspaceId} and i.id = m.integration_id)`

const shape = sql`
  id, integration_id, outcome, reason, status, sender_domain, recipient_domains, recipients_count, sender_address,
  recipient_addresses, bytes, milliseconds, ${iso(sql`created_at`)} as created_at`

interface RelayMessageFilters {
  readonly integration_id?: string
  readonly outcome?: RelayOutcome
  readonly reason?: string
  readonly domain?: string
  readonly since?: Date
  readonly until?: Date
}

export function listRelayMessages(
  db: Db,
  workspaceId: string,
  page: PageQuery,
  { integration_id, outcome, reason, domain, since, until }: RelayMessageFilters,
): Promise<ListResult> {
  const matching = sql`
    from relay_messages where workspace_id = ${workspaceId}
      ${integration_id === undefined ? empty : sql`and integration_id = ${integration_id}`}
      ${outcome === undefined ? empty : sql`and outcome = ${outcome}`}
      ${reason === undefined ? empty : sql`and reason = ${reason}`}
      ${domain === undefined ? empty : sql`and (sender_domain = ${domain} or ${domain} = any(recipient_domains))`}
      ${since === undefined ? empty : sql`and id >= ${firstIdAt(since)}`}
      ${until === undefined ? empty : sql`and id < ${firstIdAt(until)}`}`
  return listRows(db, page, shape, matching)
}

export const findRelayMessage = (db: Db, workspaceId: string, id: string) =>
  db.first<object>(
    sql`select ${shape} from relay_messages where workspace_id = ${workspaceId} and id = ${id}`,
  )

export const hasRelayMessages = (db: Db, workspaceId: string) =>
  db.hasRows(sql`select from relay_messages where workspace_id = ${workspaceId} limit 1`)

export const workspacesWithOldMessages = (db: Db, before: Date) =>
  db.column<string>(sql`select distinct workspace_id from relay_messages where created_at < ${before}`)

/** Up to 5,000 of them, so that no statement takes long. Returns how many were deleted. */
export async function deleteOldMessages(db: Db, workspaceId: string, before: Date): Promise<number> {
  const deleted = await db.query(sql`
    delete from relay_messages
    where workspace_id = ${workspaceId} and id = any(array(
      select id from relay_messages where workspace_id = ${workspaceId} and id < ${firstIdAt(before)}
      limit 5000 for update skip locked))
    returning id`)
  return deleted.length
}
