-- How many teammates may be active; null: any number. The operator sets it.
alter table workspaces add column seat_limit integer check (seat_limit >= 0);

-- How many teammates were active, per day in UTC. A job counts every hour.
create table seat_days (
  workspace_id uuid not null references workspaces (id),
  day date not null,
  -- The highest count of the day, the sum of its counts, and how many counts there were.
  most integer not null,
  total bigint not null,
  counts integer not null,
  -- The hour of the last count: the job counts each hour once.
  counted_at timestamptz(3) not null,
  primary key (workspace_id, day)
);

-- Companies that issue invoices with `signoff billing issue`. They belong to the installation, not to a workspace.
create table invoice_issuers (
  code text primary key,
  name text not null,
  -- The lines of the address.
  address text[] not null,
  tax_id text,
  -- How to pay: bank account and the like.
  payment text[] not null,
  -- Before the number, such as INV- .
  prefix text not null,
  -- The number of the last document. A transaction that issues one locks the row, so that numbers have no gap.
  last_number integer not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null
);

-- To whom the invoices of a workspace are addressed.
create table billing_recipients (
  workspace_id uuid not null references workspaces (id),
  name text not null,
  address text[] not null,
  tax_id text,
  -- An order number or a cost centre, which the recipient wants to read on the invoice.
  reference text,
  updated_at timestamptz(3) not null,
  primary key (workspace_id)
);

alter table financial_documents
  add column source text not null default 'other' check (source in ('other', 'issued', 'stripe')),
  add column kind text not null default 'invoice' check (kind in ('invoice', 'credit_note')),
  add column currency text,
  -- Of a credit note: the invoice that it cancels.
  add column corrects_id uuid,
  -- Of an issued document: everything that its file says.
  add column issued jsonb,
  -- SHA-256 of the file in the store; null: the file is elsewhere, or there is none.
  add column file_sha256 text,
  add foreign key (workspace_id, corrects_id) references financial_documents (workspace_id, id);
create unique index financial_documents_number on financial_documents (workspace_id, source, number)
  where source <> 'other';
-- An invoice is cancelled once.
create unique index financial_documents_corrects on financial_documents (workspace_id, corrects_id)
  where corrects_id is not null;
