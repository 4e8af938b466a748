-- The number first: while statistics are older than a large import, PostgreSQL takes the workspace to have one address,
-- and preferred this index to the primary key: it read all addresses of the workspace for each lookup by id.
drop index emails_number;
create unique index emails_number on emails (number, workspace_id);
