-- A quiet message wakes nobody. The index lets a wait pass over quiet messages without reading them.
ALTER TABLE message ADD COLUMN quiet INTEGER NOT NULL DEFAULT 0;
DROP INDEX message_to_all;
CREATE INDEX message_to_all ON message (place, sender_row, quiet) WHERE to_all = 1;

-- The agents that a message reaches but does not wake, because they and its sender had only been waking each other.
CREATE TABLE damped (
  member_row INTEGER NOT NULL,
  place INTEGER NOT NULL,
  PRIMARY KEY (member_row, place)
) STRICT, WITHOUT ROWID;

-- The agents that do not wake each other now: whom the sender's messages no longer wake, until a sign of work.
CREATE TABLE agent_loop (
  member_row INTEGER NOT NULL,
  sender_row INTEGER NOT NULL,
  board_row INTEGER NOT NULL,
  -- The sender's newest message that did not wake the member.
  place INTEGER NOT NULL,
  -- Whether several agents were waking each other in turn, and not only these two.
  ring INTEGER NOT NULL,
  PRIMARY KEY (member_row, sender_row)
) STRICT, WITHOUT ROWID;
CREATE INDEX agent_loop_of_sender ON agent_loop (sender_row);
CREATE INDEX agent_loop_on_board ON agent_loop (board_row, ring);
