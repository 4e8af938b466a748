-- A click id as the sender wrote it, where it is not a UUID and so cannot be one of ours. The last column of both
-- tables: folding copies rows with `select *`.
alter table event_tail add column other_click_id text;
alter table events add column other_click_id text;

-- The name of the URL parameter in which a redirect passes the click id to the target page.
alter table workspaces add column click_parameter text not null default 'signoff_click_id'
  check (click_parameter ~ '^[A-Za-z_][A-Za-z0-9_.-]{0,63}$');

-- For the filters of the audit log. Each ends with the id, which holds the time: newest first, and since and until, are
-- ranges of the same index.
create index audit_log_by_action on audit_log (workspace_id, action, id);
create index audit_log_by_type on audit_log (workspace_id, split_part(action, '.', 1), id);
create index audit_log_by_member on audit_log (workspace_id, member_id, id);
create index audit_log_by_key on audit_log (workspace_id, api_key_id, id);

-- For updated_since.
create index teammates_by_update on teammates (workspace_id, updated_at) where deleted_at is null;
create index emails_by_update on emails (workspace_id, updated_at) where deleted_at is null;
create index signatures_by_update on signatures (workspace_id, updated_at);
create index installations_by_update on installations (workspace_id, updated_at);
