-- Through what a member or key acted: 'mcp', or null for the API and the command line.
alter table audit_log add column via text;
-- The job that fetches a picture writes audit entries for the request that named it.
alter table picture_fetches add column via text;
