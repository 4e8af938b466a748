-- The personal page is on unless somebody switches it off.
alter table workspaces add column personal_page boolean not null default true;
