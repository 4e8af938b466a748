-- Ids of users and of anonymous visitors may be the same words. What is known of a user is not handed on to whoever an anonymous visitor
-- of the same name turns out to be.
alter table visitor_traits add column is_user boolean not null default false;
update visitor_traits t set is_user = true
where exists (select from visitor_identities i where i.workspace_id = t.workspace_id and i.user_id = t.distinct_id);
