-- The exact reason of a refused sign-in, for administrators; null in rows of earlier versions.
alter table sso_connections add column last_refusal_message text;
-- Why the action happened, or did not; null where nothing is said.
alter table audit_log add column reason text;
