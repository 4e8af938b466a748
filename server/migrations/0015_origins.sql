-- Render key of the signature in a mailbox: identifies its inputs. While it is the same, the reconcile job does not
-- render the signature to know that the mailbox holds it.
alter table mailboxes add column written_origin text;
