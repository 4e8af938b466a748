-- A mailbox is an address that is reached through a connected system: what was written there last, whether it has to be looked at again, and
-- who is at it. Several signatures may want the same mailbox; they share this one row, so that only one of them is ever on its way.
create table mailboxes (
  workspace_id uuid not null,
  email_id uuid not null,
  integration_id uuid not null,
  -- Of what was written last: addresses, signature, HTML and text. Null: nothing, or nobody knows.
  written_sha256 text,
  -- To be written even if it seems to be there.
  is_forced boolean not null default false,
  -- Raised by whatever asks for another look: one that is on its way then is not the last.
  revision integer not null default 1,
  -- Null: there is nothing to do.
  due_at timestamptz(3),
  attempts integer not null default 0,
  -- Raised by every claim: whoever holds a lower one has lost it.
  claim integer not null default 0,
  claimed_until timestamptz(3),
  -- What was tried last without a known end, and under which claim: tried again it is the same message.
  tried_sha256 text,
  tried_claim integer,
  primary key (workspace_id, email_id, integration_id),
  foreign key (workspace_id, email_id) references emails (workspace_id, id),
  foreign key (workspace_id, integration_id) references integrations (workspace_id, id)
) with (fillfactor = 70);
create index mailboxes_due on mailboxes (workspace_id, integration_id, due_at) where due_at is not null;

-- What is there was noted per signature: everything is written once more.
insert into mailboxes (workspace_id, email_id, integration_id, due_at)
select distinct workspace_id, email_id, integration_id, now() from installations
where integration_id is not null and status <> 'uninstalled';

drop index installations_due, installations_by_signature;
alter table installations drop column revision, drop column due_at, drop column claimed_until;

-- For the filters of the list, which is ordered by id.
create index installations_by_integration on installations (workspace_id, integration_id, id) where integration_id is not null;
create index installations_newest_of_signature on installations (workspace_id, signature_id, id);

-- A mail that was begun is never begun again: better none than two.
alter table invitations add column begun_at timestamptz(3);

-- Addresses that were deleted while somebody made them recipients.
delete from recipients r using emails e
where e.workspace_id = r.workspace_id and e.id = r.email_id and e.deleted_at is not null;
