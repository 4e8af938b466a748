// A strict stand-in for the functions of Citus that place tables: it refuses what Citus refuses, and moves no rows.
import type pg from 'pg'
import { query } from './postgres.ts'

const functions = `
create table pg_dist_node (groupid integer not null);
create table pg_dist_partition (logicalrelid regclass primary key, partmethod "char" not null, colocationid text not null);

create function citus_version() returns text language sql as $$ select 'stand-in' $$;

create function refuse_placed(placed regclass) returns void language plpgsql as $$
begin
  if current_setting('citus.multi_shard_modify_mode', true) is distinct from 'sequential' then
    raise exception 'parallel connections would wait for each other';
  end if;
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
  insert into pg_dist_partition values (placed, 'n', 'reference');
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
  insert into pg_dist_partition select placed, 'h', case when colocate_with = 'none' then shard_count::text
    else (select colocationid from pg_dist_partition where logicalrelid = colocate_with::regclass) end;
end $$;
`

export const addCitusStandIn = (connection: pg.ClientConfig): Promise<void> => query(connection, functions)
