-- What the signature in a mailbox was drawn from: while that is the same, nobody has to draw it to know that it is there.
alter table mailboxes add column written_origin text;
