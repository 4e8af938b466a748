// A strict stand-in for the functions of Citus that place tables: it refuses what Citus refuses, and moves no rows.
import type pg from 'pg'
import { query } from './postgres.ts'

const functions = `
create table pg_dist_local_group (groupid integer not null);
insert into pg_dist_local_group values (0);
create table pg_dist_node (groupid integer not null, nodename text not null default 'node', nodeport integer not null default 5432,
  noderole text not null default 'primary', isactive boolean not null default true, shouldhaveshards boolean not null);
create table pg_dist_partition (logicalrelid regclass primary key, partmethod "char" not null, repmodel "char" not null,
  colocationid text not null, placed_by xid8 not null default pg_current_xact_id());
-- The calls, in their order.
create table citus_calls (number integer generated always as identity, name text not null, called_for regclass not null);

create function citus_version() returns text language sql as $$ select 'stand-in' $$;

create function refuse_placed(placed regclass) returns void language plpgsql as $$
begin
  if current_setting('citus.multi_shard_modify_mode', true) is distinct from 'sequential' then
    raise exception 'parallel connections would wait for each other';
  end if;
  -- Citus lists a table with a foreign key to a reference table, and takes it off the list to place it.
  delete from pg_dist_partition where logicalrelid = placed and partmethod = 'n' and repmodel = 's';
  if exists (select from pg_dist_partition where logicalrelid = placed) then
    raise exception 'table "%" is already distributed', placed;
  end if;
  if exists (select from pg_constraint where contype = 'f' and (conrelid = placed or confrelid = placed)) then
    raise exception 'table "%" has a foreign key', placed;
  end if;
end $$;

create function create_reference_table(placed regclass) returns void language plpgsql as $$
begin
  perform refuse_placed(placed);
  if exists (select from pg_dist_partition where partmethod = 'h' and placed_by = pg_current_xact_id()) then
    raise exception 'reference tables come first: a foreign key of "%" would wait', placed;
  end if;
  insert into pg_dist_partition values (placed, 'n', 't', 'reference');
  insert into citus_calls (name, called_for) values ('create_reference_table', placed);
end $$;

create function create_distributed_table(placed regclass, distribution_column text, colocate_with text default 'default',
  shard_count integer default null) returns void language plpgsql as $$
begin
  perform refuse_placed(placed);
  if exists (
    select from pg_index i where i.indrelid = placed and i.indisunique and not exists (
      select from pg_attribute a
      where a.attrelid = placed and a.attname = distribution_column and a.attnum = any (i.indkey::int2[]))
  ) then
    raise exception 'a unique index of "%" lacks %', placed, distribution_column;
  end if;
  if colocate_with = 'none' and shard_count is null then raise exception 'no shard count'; end if;
  if colocate_with <> 'none' and (shard_count is not null or not exists (
    select from pg_dist_partition where logicalrelid = colocate_with::regclass and partmethod = 'h'))
  then
    raise exception 'cannot colocate "%" with "%"', placed, colocate_with;
  end if;
  if distribution_column <> 'workspace_id' then raise exception 'rows are split by workspace_id'; end if;
  insert into pg_dist_partition select placed, 'h', 's', case when colocate_with = 'none' then shard_count::text
    else (select colocationid from pg_dist_partition where logicalrelid = colocate_with::regclass) end;
  -- Citus lists the partitions of a table like tables.
  insert into pg_dist_partition
  select t.relid, p.partmethod, p.repmodel, p.colocationid from pg_partition_tree(placed) t, pg_dist_partition p
  where p.logicalrelid = placed and t.relid <> placed;
  insert into citus_calls (name, called_for) values ('create_distributed_table', placed);
end $$;

create function truncate_local_data_after_distributing_table(emptied regclass) returns void language plpgsql as $$
begin
  if not exists (select from pg_dist_partition where logicalrelid = emptied) then
    raise exception 'supplied parameter is not a distributed relation';
  end if;
  if exists (select from pg_dist_partition where logicalrelid = emptied and placed_by = pg_current_xact_id()) then
    raise exception 'the rows of "%" are not committed on the nodes', emptied;
  end if;
  if exists (select from pg_constraint k where k.contype = 'f' and k.confrelid = emptied
    and not exists (select from pg_dist_partition where logicalrelid = k.conrelid))
  then
    raise exception 'cannot truncate a table referenced in a foreign key constraint by a local table';
  end if;
  insert into citus_calls (name, called_for) values ('truncate_local_data_after_distributing_table', emptied);
end $$;
`

export const addCitusStandIn = (connection: pg.ClientConfig): Promise<void> => query(connection, functions)
