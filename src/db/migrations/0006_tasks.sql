-- What is to be done on a board. Made by the log alone.
CREATE TABLE task (
  row INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  board_row INTEGER NOT NULL REFERENCES board,
  number INTEGER NOT NULL,
  -- With the prefix of when it was opened.
  ref TEXT NOT NULL,
  title TEXT NOT NULL,
  state TEXT NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'in_progress', 'done', 'cancelled')),
  -- Its place in a list: open, in progress, closed.
  phase INTEGER GENERATED ALWAYS AS (CASE state WHEN 'open' THEN 0 WHEN 'in_progress' THEN 1 ELSE 2 END) VIRTUAL,
  -- Null while it is open. A closed one keeps its last.
  owner_row INTEGER,
  opener_row INTEGER NOT NULL,
  opened_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  closed_at TEXT,
  closed_note TEXT,
  -- What it is and why, and where it stands; a version counts how often each was written.
  about TEXT,
  about_version INTEGER NOT NULL DEFAULT 0,
  about_by INTEGER,
  about_at TEXT,
  stands TEXT,
  stands_version INTEGER NOT NULL DEFAULT 0,
  stands_by INTEGER,
  stands_at TEXT,
  UNIQUE (board_row, number)
) STRICT;
CREATE INDEX task_in_order ON task (board_row, phase, number, state);
CREATE INDEX open_task ON task (board_row) WHERE state = 'open';
CREATE INDEX task_of_owner ON task (owner_row, number) WHERE owner_row IS NOT NULL;

CREATE TABLE task_helper (
  task_row INTEGER NOT NULL,
  member_row INTEGER NOT NULL,
  -- Position of the event with which they joined.
  seq INTEGER NOT NULL,
  PRIMARY KEY (task_row, member_row)
) STRICT, WITHOUT ROWID;
CREATE INDEX task_helper_of_member ON task_helper (member_row);

-- What each agent works on now.
CREATE TABLE current_task (
  member_row INTEGER PRIMARY KEY,
  task_row INTEGER NOT NULL
) STRICT;
CREATE INDEX current_task_of ON current_task (task_row);
