-- Where the square around what people look at begins: pixels from the left of a wide picture, from the top of a high one.
-- Null for square pictures, and for pictures that were added before this was measured: their square is in the middle.
alter table assets add column square_offset integer;

-- The value of an image field is an asset and the part of it that is shown: x, y, width and height as fractions of its
-- sides; null is all of it. `value` and `value_key` then hold the id of the asset.
alter table smart_field_values
  add column asset_id uuid,
  add column crop real[] check (array_length(crop, 1) = 4),
  add foreign key (workspace_id, asset_id) references assets (workspace_id, id);
create index smart_field_values_by_asset on smart_field_values (workspace_id, asset_id) where asset_id is not null;

-- Pictures of an import that the worker has yet to fetch, and those that it could not fetch. A value that is written
-- later for the same teammate and field deletes the row.
create table picture_fetches (
  workspace_id uuid not null references workspaces (id),
  id uuid not null,
  teammate_id uuid not null,
  smart_field_id uuid not null,
  url text not null,
  status text not null check (status in ('pending', 'failed')),
  attempts integer not null default 0,
  due_at timestamptz(3) not null,
  code text,
  message text,
  -- The import that asked for the picture, for the audit log.
  member_id uuid,
  api_key_id uuid,
  request_id text,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (workspace_id, id),
  unique (workspace_id, teammate_id, smart_field_id),
  foreign key (workspace_id, teammate_id) references teammates (workspace_id, id),
  constraint picture_fetches_field
    foreign key (workspace_id, smart_field_id) references smart_fields (workspace_id, id) on delete cascade
);
create index picture_fetches_due on picture_fetches (workspace_id, due_at) where status = 'pending';
