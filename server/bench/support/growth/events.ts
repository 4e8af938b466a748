// Events of the growth bench. PostgreSQL makes them with generate_series, in the tail; from there the folding of the
// service moves them to their months and adds them to the rollups.
import { foldTail } from '#features/measurement/analytics/index.ts'
import { type Pool, sql } from '#kernel/db/db.ts'

/** 52 weeks that begin on a Monday. */
export const yearStart = new Date('2025-11-17T00:00:00Z')
export const yearEnd = new Date('2026-11-16T00:00:00Z')
/** The year is recorded in so many parts, each folded before the next: 3.64 days each. */
export const partCount = 100

const countries =
  'DE US GB FR PT ES IT NL BE SE NO DK FI PL CZ AT CH IE GR TR JP CN IN BR MX CA AU NZ ZA NG'.split(' ')

const momentOf = (part: number): Date =>
  new Date(yearStart.getTime() + ((yearEnd.getTime() - yearStart.getTime()) * part) / partCount)

/**
 * 91 % views, 8 % clicks, 1 % events of integrators; 4 % from bots. A third of the people have half of the events; four
 * fifths of the events of weekends move to working days, and most are between 8 and 18 o'clock. Each person has one
 * signature, campaigns follow each other, and a third of the events has no campaign.
 */
export async function fillTail(db: Pool, part: number, count: number): Promise<void> {
  const [people] = await db.query<{ n: number }>(sql`select count(*)::int as n from growth_people`)
  const [from, to] = [momentOf(part), momentOf(part + 1)]
  await db.query(sql`
    with drawn as materialized (
      select floor(power(random(), 1.6) * ${people?.n ?? 0}::int)::int as person, random() as kind, random() as other,
        ${from}::timestamptz + random() * (${to}::timestamptz - ${from}::timestamptz) as moment
      from generate_series(1, ${count}::int)
    ),
    dated as materialized (
      select person, kind, other, least(${yearEnd}::timestamptz - interval '1 ms', date_trunc('day', moment, 'UTC')
        - case when extract(isodow from moment at time zone 'UTC') > 5 and random() < 0.8 then interval '2 days' else '0' end
        + case when random() < 0.85 then interval '8 hours' + (random() + random()) * interval '5 hours'
          else random() * interval '1 day' end) as at
      from drawn
    ),
    recorded as (
      insert into event_tail (workspace_id, recorded_at, id, name, outcome, click_id, signature_id, campaign_id, campaign_variant,
        teammate_id, email_id, anchor_id, country, value, currency, distinct_id, properties)
      select p.workspace_id, d.at, d.id,
        case when kind < 0.91 then '$view' when kind < 0.99 then '$click' when other < 0.5 then 'signup' else 'purchase' end,
        case when random() < 0.96 then 'counted' else 'bot' end, case when kind between 0.91 and 0.99 then d.id end,
        w.signatures[1 + p.n % cardinality(w.signatures)],
        case when other < 0.67 then w.campaigns[1 + ${part}::int * cardinality(w.campaigns) / ${partCount}::int] end,
        case when other < 0.33 then 'a' when other < 0.67 then 'b' end, p.teammate_id, p.email_id,
        case when kind >= 0.91 then 'link-' || (kind * 1000)::int % 8 end,
        case when random() < 0.6 then (select ${countries}::text[])[1 + floor(power(random(), 3) * ${countries.length}::int)::int] end,
        case when kind >= 0.99 then 49 end, case when kind >= 0.99 then 'EUR' end,
        case when kind >= 0.99 then 'visitor-' || floor(other * 10000)::int end, case when kind >= 0.99 then '{"plan":"team"}'::jsonb end
      from (select *, uuidv7(at - clock_timestamp()) as id from dated) d
      join growth_people p on p.n = d.person join growth_workspaces w on w.workspace_id = p.workspace_id
      returning workspace_id, recorded_at, id, distinct_id
    ),
    named as (
      insert into event_ids (workspace_id, event_id, recorded_at)
      select workspace_id, 'order-' || id, recorded_at from recorded where distinct_id is not null
    )
    insert into visitor_traits (workspace_id, distinct_id, traits, updated_at)
    select distinct workspace_id, distinct_id, '{"company":"Example"}'::jsonb, ${to}::timestamptz
    from recorded where distinct_id is not null
    on conflict do nothing`)
}

/** Folds all that is in the tail, as the job does. Answers the time in ms. */
export async function foldAll(db: Pool): Promise<number> {
  const began = performance.now()
  while (await foldTail(db));
  return performance.now() - began
}
