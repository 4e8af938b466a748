-- Drift: mailboxes are read back once a day, and compared with what the channel stored after the last write.
alter table mailboxes
  -- SHA-256 of what the channel answered after the last write; null: not known, or the channel cannot be read back.
  add column kept_sha256 text,
  -- Where the last write went: the user, and the user's address.
  add column kept_user text,
  add column kept_address text,
  -- When it is read back next; null: never.
  add column check_at timestamptz(3),
  -- SHA-256 of what was found there instead; null: no difference is known.
  add column found_sha256 text,
  -- Writes of others in a row: since the last write that a change here caused, or since the mailbox was found intact.
  add column foreign_writes integer not null default 0,
  -- When a check last made the service write again.
  add column restored_at timestamptz(3);
create index mailboxes_check on mailboxes (workspace_id, integration_id, check_at) where check_at is not null;

-- What was written before this version is not known: the first check stores what it finds.
update mailboxes m
set kept_user = p.address, kept_address = e.address, check_at = now() + random() * interval '1 day'
from integrations x, emails e
join emails p on p.workspace_id = e.workspace_id and p.teammate_id = e.teammate_id and p.is_primary and p.deleted_at is null
where x.workspace_id = m.workspace_id and x.id = m.integration_id and x.kind = 'google_workspace' and x.deleted_at is null
  and e.workspace_id = m.workspace_id and e.id = m.email_id and e.deleted_at is null and m.written_sha256 is not null;

alter table installations drop constraint installations_status_check,
  add constraint installations_status_check
    check (status in ('pending', 'installed', 'drifted', 'failed', 'uninstalled'));
