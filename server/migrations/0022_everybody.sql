-- A rule that chooses all present and future addresses of the workspace.
alter table recipient_rules add column everybody boolean not null default false;
alter table recipients add column by_everybody boolean not null default false;
