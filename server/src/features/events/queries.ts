import { type Db, sql } from '../../kernel/db.ts'
import type { NewEvent } from './event.ts'

const of = <K extends keyof NewEvent>(events: readonly NewEvent[], key: K) =>
  events.map(event => event[key] ?? null)

/** Of one workspace. An event that is in the tail already stays as it is. */
export const insertEvents = (db: Db, workspaceId: string, events: readonly NewEvent[]) =>
  db.query(sql`
    insert into event_tail (workspace_id, recorded_at, id, name, outcome, click_id, signature_id, campaign_id,
      campaign_variant, teammate_id, email_id, anchor_id, country, value, currency, distinct_id, anonymous_id, properties)
    select ${workspaceId}::uuid, e.* from unnest(${of(events, 'recordedAt')}::timestamptz[], ${of(events, 'id')}::uuid[],
      ${of(events, 'name')}::text[], ${of(events, 'outcome')}::text[], ${of(events, 'clickId')}::uuid[],
      ${of(events, 'signatureId')}::uuid[], ${of(events, 'campaignId')}::uuid[], ${of(events, 'campaignVariant')}::text[],
      ${of(events, 'teammateId')}::uuid[], ${of(events, 'emailId')}::uuid[], ${of(events, 'anchorId')}::text[],
      ${of(events, 'country')}::text[], ${of(events, 'value')}::numeric[], ${of(events, 'currency')}::text[],
      ${of(events, 'distinctId')}::text[], ${of(events, 'anonymousId')}::text[],
      ${events.map(event => (event.properties ? JSON.stringify(event.properties) : null))}::jsonb[]) as e
    on conflict do nothing`)
