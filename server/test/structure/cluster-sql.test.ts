// The check of statements for a cluster: support/cluster-sql. The tests of the server run it on the statements of the code.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { onEveryNode, wholeInstallation } from '../support/cluster-sql/exceptions.ts'
import { clusterProblems, loadParser, oneLine } from '../support/cluster-sql/index.ts'

beforeAll(loadParser)

const accepted: Readonly<Record<string, string>> = {
  'one table': 'select * from folders where workspace_id = $1 and id = $2',
  'a cast': 'select * from folders f where $1::uuid = f.workspace_id',
  'a row': 'select * from folders f where (f.workspace_id, f.id) = ($1, $2)',
  'a join': `select * from folders f join signatures s on s.workspace_id = f.workspace_id and s.folder_id = f.id
    where f.workspace_id = $1`,
  'a join by name': 'select * from folders join signatures using (workspace_id) where workspace_id = $1',
  'an outer join': `select * from folders f left join signatures s on s.workspace_id = f.workspace_id
    where f.workspace_id = $1`,
  'an outer join of outer joins': `select * from folders f left join signatures s on s.workspace_id = f.workspace_id
    left join signature_variants v on v.workspace_id = s.workspace_id where f.workspace_id = $1`,
  'an outer join with its own parameter': `select * from folders f left join signatures s on s.workspace_id = $1
    where f.workspace_id = $1`,
  'a reference table': `select * from workspaces w join folders f on f.workspace_id = w.id where w.id = $1`,
  'only reference tables': 'select * from members where account_id = $1',
  'a local table': 'select distinct workspace_id from event_tail',
  'a condition that becomes a join': `select * from folders f where f.workspace_id = $1
    and not exists (select from signatures s where s.workspace_id = f.workspace_id and s.folder_id = f.id)`,
  'a simple subquery': `select * from (select * from folders where workspace_id = $1) f
    join signatures s on s.workspace_id = f.workspace_id`,
  'a subquery with its own parameter': `select (select count(*) from signatures s where s.workspace_id = $1 and s.folder_id = f.id)
    from (select * from folders where workspace_id = $2 limit 10) f`,
  'an update': 'update folders f set name = $1, updated_at = now() where f.workspace_id = $2',
  'an update with a list': `update folders f set name = k.name from unnest($1::uuid[], $2::text[]) as k (id, name)
    where f.workspace_id = $3 and f.id = k.id`,
  'an insert': 'insert into folders (id, workspace_id) values ($1, $2) on conflict do nothing returning id',
  'an insert of rows': `insert into folders (workspace_id, id) select $1::uuid, k.id from unnest($2::uuid[]) as k (id)`,
  'an insert of rows that were removed': `with gone as (delete from folders where workspace_id = $1 returning *)
    insert into audit_log (workspace_id, id) select workspace_id, id from gone`,
  'a local table beside the others': `select id from events where workspace_id = $1
    union all (select id from event_tail where workspace_id = $1 order by id limit 1)`,
  'a local table in a list': `select * from visitor_traits t where t.workspace_id = $1 and t.distinct_id not in (
    select e.distinct_id from event_tail e where e.workspace_id = $1)`,
  'rows taken from a local table': `with taken as (delete from event_tail where workspace_id = $1 returning *)
    insert into events select * from taken`,
  'a local and a reference table':
    'select * from account_mails m join accounts a on a.id = m.account_id where a.id = $1',
  'a change of a reference table by a part of WITH': `with own as (select id from folders where workspace_id = $1)
    update workspaces w set name = $2 from own where w.id = own.id`,
  'a SELECT without columns for each row': `with changed as (insert into folders (workspace_id) values ($1) returning *)
    select exists (select from signatures s where s.workspace_id = $1 and s.folder_id = c.id) from changed c`,
  'lists of several types in WITH': `with told as materialized (
      select e.id from unnest($2::uuid[], $3::text[]) as k (id, name) join events e on e.workspace_id = $1 and e.id = k.id),
    waiting as materialized (select id from event_tail where workspace_id = $1)
    select id from told union all select id from waiting`,
  'an insert into a reference table': `with changed as (insert into members (workspace_id) values ($1) returning created_at)
    select to_char(created_at, 'YYYY') from changed`,
  'an array for each row of all workspaces': `select i.id, i.settings, array(
      select d.name from folders d where d.workspace_id = i.workspace_id) from integrations i`,
  'a lock alone': 'select pg_advisory_xact_lock(hashtextextended($1, 7364007))',
}

const refused: Readonly<Record<string, readonly [statement: string, problem: RegExp]>> = {
  'no workspace': ['select * from folders where id = $1', /workspace_id of folders is not given:/],
  'a list of workspaces': ['select * from folders where workspace_id = any($1)', /is not given:/],
  'an alternative': ['select * from folders where workspace_id = $1 or id = $2', /is not given:/],
  'a join by another column': [
    'select * from folders f join signatures s on s.folder_id = f.id where f.workspace_id = $1',
    /workspace_id of signatures is not given:/,
  ],
  'an outer join that gives only its nullable side': [
    'select * from folders f left join signatures s on s.workspace_id = f.workspace_id and s.workspace_id = $1',
    /workspace_id of folders is not given:/,
  ],
  'an outer join with a condition on the side that is kept': [
    'select * from folders f left join signatures s on s.workspace_id = $1 and f.workspace_id = $1',
    /workspace_id of folders is not given:/,
  ],
  'a subquery of an outer row': [
    `select (select count(*) from signatures s where s.workspace_id = f.workspace_id) from folders f where f.workspace_id = $1`,
    /workspace_id of signatures is not given on its own level/,
  ],
  'a join with a limited subquery': [
    `select * from (select * from folders where workspace_id = $1 limit 10) f
     join signatures s on s.workspace_id = f.workspace_id`,
    /workspace_id of signatures is not given on its own level/,
  ],
  'a join with a part of WITH': [
    `with f as (select * from folders where workspace_id = $1)
     select * from f join signatures s on s.workspace_id = f.workspace_id`,
    /workspace_id of signatures is not given on its own level/,
  ],
  'a part of WITH that changes': [
    'with gone as (delete from folders where id = $1 returning id) select * from gone',
    /workspace_id of folders is not given:/,
  ],
  'an insert without workspace': [
    'insert into folders (id) values ($1)',
    /workspace_id of folders is not given:/,
  ],
  'a lock of all workspaces': [
    'select distinct workspace_id from tally_changes for update',
    /workspace_id of tally_changes is not given:/,
  ],
  'a subquery inside VALUES': [
    'insert into folders (workspace_id, id) values ($1, (select max(id) from folders where workspace_id = $1))',
    /a subquery inside VALUES/,
  ],
  'a subquery inside RETURNING of an insert': [
    'insert into folders (workspace_id) values ($1) returning exists (select from signatures where workspace_id = $1)',
    /a subquery inside VALUES/,
  ],
  'a subquery inside RETURNING of an update': [
    'update folders set name = $2 where workspace_id = $1 returning (select max(id) from signatures where workspace_id = $1)',
    /a subquery inside RETURNING of a change/,
  ],
  'now() inside CASE': [
    'update folders set updated_at = case when $2 then now() else updated_at end where workspace_id = $1',
    /now\(\) inside CASE or COALESCE/,
  ],
  'current_timestamp inside COALESCE': [
    'update folders set updated_at = coalesce($2, current_timestamp) where workspace_id = $1',
    /current_timestamp\(\) inside CASE or COALESCE/,
  ],
  'now() behind ON CONFLICT': [
    'insert into folders (workspace_id) values ($1) on conflict (workspace_id) do update set updated_at = now()',
    /now\(\) behind ON CONFLICT/,
  ],
  'the clock in a condition of a change': [
    'delete from folders where workspace_id = $1 and updated_at < clock_timestamp()',
    /clock_timestamp\(\) in a change/,
  ],
  'a date in RETURNING': [
    `update folders set name = $2 where workspace_id = $1 returning to_char(updated_at, 'YYYY')`,
    /to_char\(\) in RETURNING/,
  ],
  'a function of a column': [
    `update folders set name = to_char(updated_at, 'YYYY') where workspace_id = $1`,
    /to_char\(\) of a column/,
  ],
  'an interval added to a column': [
    `update folders set updated_at = updated_at + $2 * interval '1 second' where workspace_id = $1`,
    /an interval added to a column/,
  ],
  'a SELECT without FROM under UNION': [
    'select $2::uuid union select id from folders where workspace_id = $1',
    /a SELECT without FROM/,
  ],
  'a SELECT without FROM under three arms': [
    'select $2::uuid union select id from folders where workspace_id = $1 union select id from folders where workspace_id = $1',
    /a SELECT without FROM/,
  ],
  'a local table under UNION that is joined': [
    `select id from folders where workspace_id = $1 union
     select t.id from event_tail t join events e on e.workspace_id = $1 and e.id = t.id`,
    /event_tail, which is on the coordinator, together with events/,
  ],
  'a local table joined with others': [
    'select * from event_tail t join events e on e.workspace_id = $1 and e.id = t.id where t.workspace_id = $1',
    /event_tail, which is on the coordinator, together with events/,
  ],
  'a local table in a subquery of an outer row': [
    `select * from visitor_traits t where t.workspace_id = $1 and not exists (
      select from event_tail e where e.workspace_id = $1 and e.distinct_id = t.distinct_id)`,
    /event_tail, which is on the coordinator, compared with a column of an outer query \(t\)/,
  ],
  'a change of a local table that reads others': [
    `delete from event_tail t where t.workspace_id = $1 and exists (
      select from events e where e.workspace_id = $1 and e.id = t.id)`,
    /event_tail, which is on the coordinator, together with events/,
  ],
  'a lock beside a table': [
    'select pg_advisory_xact_lock(1) from folders where workspace_id = $1',
    /pg_advisory_xact_lock\(\) in a statement with tables/,
  ],
  'a lock beside a reference table': [
    'select pg_try_advisory_xact_lock(1) from workspaces where id = $1',
    /pg_try_advisory_xact_lock\(\) in a statement with tables/,
  ],
  'a notification behind WITH': [
    `with gone as (delete from folders where workspace_id = $1) select pg_notify('channel', '')`,
    /pg_notify\(\) in a statement with tables/,
  ],
  'a job beside a table': [
    `select graphile_worker.add_job('job') from folders where workspace_id = $1`,
    /add_job\(\) in a statement with tables/,
  ],
  'a change of a reference table that reads others': [
    'update workspaces w set name = $2 where exists (select from folders f where f.workspace_id = $1 and f.id = w.id)',
    /a change of workspaces, which is on every node, that reads folders/,
  ],
  'a date in RETURNING of a reference table': [
    `update members set name = $2 where workspace_id = $1 returning to_char(updated_at, 'YYYY')`,
    /to_char\(\) in RETURNING of a change of members/,
  ],
  'now() behind ON CONFLICT of a reference table': [
    'insert into accounts (id) values ($1) on conflict (id) do update set updated_at = now()',
    /now\(\) behind ON CONFLICT/,
  ],
  'a SELECT without columns beside an insert': [
    `with changed as (insert into folders (workspace_id) values ($1) returning id)
     select c.id, exists (select from signatures where workspace_id = $1) from changed c`,
    /a SELECT without columns from signatures/,
  ],
  'a SELECT without columns beside a local table': [
    '(select from event_tail where workspace_id = $1) union all (select from events where workspace_id = $1)',
    /a SELECT without columns from events/,
  ],
  'lists of several types beside a local table': [
    `select id from event_tail where workspace_id = $1 union all
     select e.id from unnest($2::uuid[], $3::text[]) as k (id, name) join events e on e.workspace_id = $1 and e.id = k.id`,
    /unnest\(\) of lists of several types/,
  ],
  'a reference table under UNION for each row of all workspaces': [
    `select i.id, i.settings, array(
       select w.name from workspaces w where w.id = i.workspace_id
       union select f.name from folders f where f.workspace_id = i.workspace_id) from integrations i`,
    /workspaces under UNION in a subquery for each row/,
  ],
  'the clock beside all workspaces': [
    `select distinct workspace_id from tally_changes, (select date_trunc('hour', $1::timestamptz) as hour) at`,
    /date_trunc\(\) in a subquery without FROM/,
  ],
  'records as a table beside all workspaces': [
    'select distinct workspace_id from tally_changes, jsonb_to_recordset($1::jsonb) as r (id uuid)',
    /jsonb_to_recordset\(\) as a table/,
  ],
  'a move to another workspace': [
    'update folders set workspace_id = $2 where workspace_id = $1',
    /a change of workspace_id/,
  ],
  'a list without type': [
    'select * from unnest($2) as k (id) join folders f on f.workspace_id = $1 and f.id = k.id',
    /a parameter without type/,
  ],
}

describe('the check of statements for a cluster', () => {
  it.each(Object.entries(accepted))('accepts %s', (_, statement) => {
    expect(clusterProblems(statement)).toEqual([])
  })

  it.each(Object.entries(refused))('refuses %s', (_, [statement, problem]) => {
    expect(clusterProblems(statement).join('\n')).toMatch(problem)
  })

  it('has no exception for a statement that is gone', () => {
    const src = join(import.meta.dirname, '../../src')
    const texts = globSync('**/*.ts', { cwd: src }).map(file =>
      oneLine(readFileSync(join(src, file), 'utf8')),
    )
    const exceptions = Object.keys({ ...wholeInstallation, ...onEveryNode })
    // An exception can reach into a part that is put in: its beginning is in the source.
    const stale = exceptions.filter(start => {
      const beginning = start.split(' coalesce(')[0] ?? start
      return !texts.some(text => text.includes(beginning))
    })
    expect(exceptions.length).toBeGreaterThan(10)
    expect(stale).toEqual([])
  })
})
