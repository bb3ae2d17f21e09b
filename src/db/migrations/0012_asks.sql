-- What messages ask of one member, with the newest answer. Made by the log alone.
CREATE TABLE ask (
  -- That of its message, where its texts are.
  place INTEGER PRIMARY KEY,
  board_row INTEGER NOT NULL,
  asker_row INTEGER NOT NULL,
  -- Who is asked.
  member_row INTEGER NOT NULL,
  task_row INTEGER,
  -- When the asker goes on without an answer. Null for one that blocks.
  going_at TEXT,
  -- Place of the newest answer or withdrawal. Null while there is none.
  answer INTEGER,
  answer_option INTEGER,
  withdrawn INTEGER NOT NULL DEFAULT 0
) STRICT;
-- Each has the place behind its columns, so that asks come in their order.
CREATE INDEX ask_on_board ON ask (board_row);
CREATE INDEX ask_of_asker ON ask (asker_row);
CREATE INDEX ask_to_member ON ask (member_row);
CREATE INDEX ask_about_task ON ask (task_row) WHERE task_row IS NOT NULL;
-- Open ones are among those without an answer: those that block, and those whose time is ahead.
CREATE INDEX unanswered_on_board ON ask (board_row, going_at) WHERE answer IS NULL;
CREATE INDEX unanswered_of_asker ON ask (asker_row, going_at) WHERE answer IS NULL;
CREATE INDEX unanswered_to_member ON ask (member_row, going_at) WHERE answer IS NULL;
CREATE INDEX unanswered_about_task ON ask (task_row, going_at) WHERE answer IS NULL AND task_row IS NOT NULL;

-- The messages that answer or withdraw asks.
CREATE TABLE answer (
  place INTEGER PRIMARY KEY,
  ask INTEGER NOT NULL
) STRICT;
