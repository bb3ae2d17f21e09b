-- A session of a harness on this machine. The boot is the id of its present process.
CREATE TABLE session (
  harness TEXT NOT NULL,
  id      TEXT NOT NULL,
  boot    TEXT NOT NULL,
  pid     INTEGER,
  start   TEXT,
  open    INTEGER NOT NULL CHECK (open IN (0, 1)),
  turned  INTEGER NOT NULL CHECK (turned IN (0, 1)),
  PRIMARY KEY (harness, id)
) STRICT, WITHOUT ROWID;

-- A seat that a session holds or held. The generation grows when the seat moves, and never goes back.
CREATE TABLE seat (
  server     TEXT NOT NULL,
  member_id  TEXT NOT NULL,
  board      TEXT NOT NULL,
  name       TEXT NOT NULL,
  harness    TEXT,
  session    TEXT,
  lost_by    TEXT,
  generation INTEGER NOT NULL,
  PRIMARY KEY (server, member_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX seat_of_session ON seat (harness, session);

-- A text that was handed to a session. It names messages, and never holds them.
CREATE TABLE handoff (
  id      TEXT PRIMARY KEY,
  harness TEXT NOT NULL,
  session TEXT NOT NULL,
  boot    TEXT NOT NULL,
  at      INTEGER NOT NULL,
  idle    INTEGER NOT NULL CHECK (idle IN (0, 1)),
  turn    TEXT
) STRICT, WITHOUT ROWID;
CREATE INDEX handoff_of_session ON handoff (harness, session);

-- A message of a handoff.
CREATE TABLE delivery (
  handoff    TEXT NOT NULL REFERENCES handoff ON DELETE CASCADE,
  server     TEXT NOT NULL,
  member_id  TEXT NOT NULL,
  generation INTEGER NOT NULL,
  seq        INTEGER NOT NULL,
  state      TEXT NOT NULL CHECK (state IN ('pending', 'handed', 'confirmed', 'acknowledged')),
  PRIMARY KEY (server, member_id, seq)
) STRICT, WITHOUT ROWID;
CREATE INDEX delivery_of_handoff ON delivery (handoff);
