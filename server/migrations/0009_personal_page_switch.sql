-- The personal page is on by default.
alter table workspaces add column personal_page boolean not null default true;
