-- A board that came from another server. Its name here may be another than the one in its first event.
CREATE TABLE imported_board (
  board_row INTEGER PRIMARY KEY,
  -- The address of the server that it came from.
  origin TEXT NOT NULL,
  name TEXT NOT NULL,
  -- Where its log ended there.
  head_seq INTEGER NOT NULL,
  imported_at TEXT NOT NULL
) STRICT;

-- The people of other servers in the log of an imported board. Their rows are below 0, so none is ever that of a person here.
CREATE TABLE stand_in (
  row INTEGER PRIMARY KEY CHECK (row < 0),
  board_row INTEGER NOT NULL,
  id TEXT NOT NULL,
  handle TEXT NOT NULL,
  -- The address of their server.
  origin TEXT NOT NULL,
  UNIQUE (board_row, id)
) STRICT;

-- The person of a member may be a stand-in. A name is taken among the members who are not.
CREATE TABLE new_member (
  row INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  board_row INTEGER NOT NULL REFERENCES board,
  -- The person it is or belongs to; below 0 a stand-in.
  person_row INTEGER NOT NULL,
  -- The person it is; null for an agent. One membership for each person and board.
  human_row INTEGER,
  name TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('human', 'agent')),
  role TEXT,
  harness TEXT,
  access TEXT CHECK (access IN ('admin', 'member')),
  joined_at TEXT NOT NULL,
  joined_seq INTEGER NOT NULL,
  status TEXT NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'removed', 'left')),
  ended_at TEXT,
  ended_by TEXT,
  delivery_mode TEXT NOT NULL DEFAULT 'focused',
  delivery_revision INTEGER NOT NULL DEFAULT 0,
  UNIQUE (human_row, board_row)
) STRICT;
INSERT INTO new_member (row, id, board_row, person_row, human_row, name, kind, role, harness, access, joined_at, joined_seq, status, ended_at, ended_by, delivery_mode, delivery_revision)
  SELECT row, id, board_row, person_row, human_row, name, kind, role, harness, access, joined_at, joined_seq, status, ended_at, ended_by, delivery_mode, delivery_revision FROM member;
DROP TABLE member;
ALTER TABLE new_member RENAME TO member;
CREATE UNIQUE INDEX member_named ON member (board_row, name) WHERE person_row > 0;
CREATE INDEX member_by_name ON member (board_row, name);
CREATE INDEX member_by_person ON member (board_row, kind, status, person_row);
CREATE INDEX member_by_role ON member (board_row, role, joined_seq);
