-- A person can be a guest, and can be removed: what they wrote stays under their id, and their handle is free again.
CREATE TABLE new_person (
  row INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  handle TEXT NOT NULL,
  display_name TEXT,
  server_role TEXT NOT NULL CHECK (server_role IN ('admin', 'member', 'guest')),
  created_at TEXT NOT NULL,
  removed_at TEXT
) STRICT;
INSERT INTO new_person (row, id, handle, display_name, server_role, created_at)
  SELECT row, id, handle, display_name, server_role, created_at FROM person;
DROP TABLE person;
ALTER TABLE new_person RENAME TO person;
CREATE UNIQUE INDEX person_with_handle ON person (handle) WHERE removed_at IS NULL;
-- Handles that a rename touched, given up or taken: for that person alone, for good.
CREATE TABLE reserved_handle (
  handle TEXT PRIMARY KEY,
  person_row INTEGER NOT NULL REFERENCES person
) STRICT, WITHOUT ROWID;

CREATE TABLE browser_session (
  row INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  digest TEXT NOT NULL UNIQUE,
  key_row INTEGER NOT NULL REFERENCES access_key,
  started_with TEXT NOT NULL CHECK (started_with IN ('login_code', 'access_key')),
  created_at TEXT NOT NULL,
  expires_at TEXT NOT NULL,
  ended_at TEXT
) STRICT;
CREATE INDEX browser_session_of_key ON browser_session (key_row);

CREATE TABLE delegation (
  row INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  digest TEXT NOT NULL UNIQUE,
  key_row INTEGER NOT NULL REFERENCES access_key,
  name TEXT NOT NULL,
  created_at TEXT NOT NULL,
  ended_at TEXT
) STRICT;
CREATE UNIQUE INDEX delegation_of_key ON delegation (key_row, name) WHERE ended_at IS NULL;
CREATE INDEX seat_token_of_session ON seat_token (session) WHERE session IS NOT NULL;

-- A machine that asks a person for a key of its own.
CREATE TABLE machine_request (
  row INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  code_digest TEXT NOT NULL,
  secret_digest TEXT NOT NULL UNIQUE,
  handle TEXT NOT NULL,
  -- Who had the handle when the machine asked: nobody else can approve it later.
  person_row INTEGER REFERENCES person,
  label TEXT NOT NULL,
  requested_from TEXT NOT NULL,
  created_at TEXT NOT NULL,
  expires_at TEXT NOT NULL,
  state TEXT NOT NULL DEFAULT 'pending' CHECK (state IN ('pending', 'approved', 'refused', 'collected')),
  -- The key that approved it: it must still work when the new one is collected.
  approver_key_row INTEGER REFERENCES access_key,
  polls INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX machine_request_with_code ON machine_request (code_digest);

ALTER TABLE invite ADD COLUMN revoked_at TEXT;
-- The first key of whoever redeemed it, and the handle that they took.
ALTER TABLE invite ADD COLUMN redeemed_key_row INTEGER REFERENCES access_key;
ALTER TABLE invite ADD COLUMN redeemed_handle TEXT;
CREATE INDEX invite_of_person ON invite (person_row);
CREATE INDEX invite_redeemed_with ON invite (redeemed_key_row) WHERE redeemed_key_row IS NOT NULL;

-- A guest code: the handle that it is for, the person whom it brings back, and when it was used up.
ALTER TABLE join_code ADD COLUMN guest TEXT;
ALTER TABLE join_code ADD COLUMN guest_row INTEGER REFERENCES person;
ALTER TABLE join_code ADD COLUMN used_at TEXT;
