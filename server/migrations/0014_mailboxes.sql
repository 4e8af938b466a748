-- A mailbox is an address behind a connected system: the signature that was written last, whether a delivery is due,
-- and which deliver job has claimed it. Several signatures can compete for a mailbox; they share this row, so that only
-- one of them is delivered at a time.
create table mailboxes (
  workspace_id uuid not null,
  email_id uuid not null,
  integration_id uuid not null,
  -- Fingerprint of the last delivery: addresses, signature, HTML and text. Null: none yet, or the result is not known.
  written_sha256 text,
  -- Deliver even when the mailbox holds the same fingerprint.
  is_forced boolean not null default false,
  -- Grows with every request for another delivery: a delivery that is under way then is not the last one.
  revision integer not null default 1,
  -- Null: no delivery is due.
  due_at timestamptz(3),
  attempts integer not null default 0,
  -- Grows with every claim: a job that holds a lower number has lost its claim.
  claim integer not null default 0,
  claimed_until timestamptz(3),
  -- Fingerprint and claim of the last attempt whose result is not known: a retry sends the same message id.
  tried_sha256 text,
  tried_claim integer,
  primary key (workspace_id, email_id, integration_id),
  foreign key (workspace_id, email_id) references emails (workspace_id, id),
  foreign key (workspace_id, integration_id) references integrations (workspace_id, id)
) with (fillfactor = 70);
create index mailboxes_due on mailboxes (workspace_id, integration_id, due_at) where due_at is not null;

-- Before this version the content of a mailbox was recorded per signature: every mailbox is written again.
insert into mailboxes (workspace_id, email_id, integration_id, due_at)
select distinct workspace_id, email_id, integration_id, now() from installations
where integration_id is not null and status <> 'uninstalled';

drop index installations_due, installations_by_signature;
alter table installations drop column revision, drop column due_at, drop column claimed_until;

-- For the filters of the list, which is ordered by id.
create index installations_by_integration on installations (workspace_id, integration_id, id) where integration_id is not null;
create index installations_newest_of_signature on installations (workspace_id, signature_id, id);

-- The invitation job does not begin a mail again that has begun_at: no mail is better than two.
alter table invitations add column begun_at timestamptz(3);

-- Addresses that were deleted while a request made them recipients.
delete from recipients r using emails e
where e.workspace_id = r.workspace_id and e.id = r.email_id and e.deleted_at is not null;
