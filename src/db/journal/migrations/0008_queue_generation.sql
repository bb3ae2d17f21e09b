-- The binding of the seat for which its queue was claimed: a claim belongs to the token that made it. 0 is from before.
ALTER TABLE queue_report ADD COLUMN generation INTEGER NOT NULL DEFAULT 0;
