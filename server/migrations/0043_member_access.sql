-- What people with the role `member` see: everything (`read`), as before, or their own signature and data only (`own`).
alter table workspaces add column member_access text not null default 'read';
alter table workspaces add constraint workspaces_member_access check (member_access in ('own', 'read'));
alter table workspaces alter column member_access set default 'own';
