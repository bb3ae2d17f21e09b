-- How messages reach busy agents, and where agents are. Bookkeeping: never part of the log.

-- A person's own setting; without one it is `my-agents`.
CREATE TABLE midturn_default (
  person_row INTEGER PRIMARY KEY,
  policy TEXT NOT NULL CHECK (policy IN ('owner-only', 'my-agents'))
) STRICT;
-- What a person set for one agent.
CREATE TABLE midturn_override (
  member_row INTEGER PRIMARY KEY,
  policy TEXT NOT NULL CHECK (policy IN ('owner-only', 'my-agents'))
) STRICT;

-- What waits for the end of a seat's turn, as its daemon said.
CREATE TABLE delivery_queue (
  member_row INTEGER PRIMARY KEY,
  epoch INTEGER NOT NULL,
  revision INTEGER NOT NULL,
  -- Who made the claim of this epoch: labels of the session, and the digest of the token.
  session TEXT NOT NULL,
  boot TEXT NOT NULL,
  digest TEXT NOT NULL,
  -- Places of the messages, as a JSON list, and until when that holds; null when nothing was said.
  places TEXT NOT NULL,
  expires_at TEXT
) STRICT;

CREATE TABLE agent_location (
  member_row INTEGER PRIMARY KEY,
  -- The key behind the token that told it.
  key_row INTEGER NOT NULL,
  harness TEXT NOT NULL,
  session_id TEXT NOT NULL,
  folder TEXT NOT NULL,
  reported_at TEXT NOT NULL
) STRICT;
