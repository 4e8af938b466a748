-- A user and an anonymous visitor can have the same id. When the anonymous visitor is identified as another user, that
-- user does not get the traits of the user with the same id.
alter table visitor_traits add column is_user boolean not null default false;
update visitor_traits t set is_user = true
where exists (select from visitor_identities i where i.workspace_id = t.workspace_id and i.user_id = t.distinct_id);
