-- Most messages go to somebody: they need no entry among those to all.
DROP INDEX message_to_all;
CREATE INDEX message_to_all ON message (place, sender_row) WHERE to_all = 1;
