-- What a person lets their agents do by themselves: a JSON list. The revision counts its changes.
CREATE TABLE allowance (
  person_row INTEGER PRIMARY KEY REFERENCES person,
  categories TEXT NOT NULL,
  revision INTEGER NOT NULL
) STRICT;

-- A session of one person is to work with an agent of another, or of the same. No board's log tells of it.
CREATE TABLE pairing_request (
  row INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  board_row INTEGER NOT NULL REFERENCES board,
  inviter_row INTEGER NOT NULL REFERENCES person,
  -- The initiating agent.
  agent_row INTEGER NOT NULL REFERENCES member,
  -- Null until the invitation is redeemed that it came with.
  recipient_row INTEGER REFERENCES person,
  invite_id TEXT UNIQUE REFERENCES invite (id),
  work TEXT NOT NULL,
  -- An agent brought the recipient onto the board with it.
  admitted_by_agent INTEGER NOT NULL DEFAULT 0,
  generation INTEGER NOT NULL DEFAULT 1,
  -- Where the board's log stood when the last endpoint of this generation was selected: what came before proves nothing.
  since_seq INTEGER NOT NULL DEFAULT 0,
  created_at TEXT NOT NULL,
  expires_at TEXT NOT NULL,
  ended TEXT CHECK (ended IN ('declined', 'cancelled')),
  ready_at TEXT
) STRICT;
CREATE INDEX pairing_of_inviter ON pairing_request (inviter_row);
CREATE INDEX pairing_of_recipient ON pairing_request (recipient_row) WHERE recipient_row IS NOT NULL;

-- The sessions of a request's generation, one for each side.
CREATE TABLE pairing_endpoint (
  request_row INTEGER NOT NULL REFERENCES pairing_request,
  side TEXT NOT NULL CHECK (side IN ('initiator', 'recipient')),
  member_row INTEGER NOT NULL REFERENCES member,
  -- The key that selected it, with which it ends.
  key_row INTEGER NOT NULL REFERENCES access_key,
  session_binding TEXT NOT NULL,
  accepted_at TEXT,
  PRIMARY KEY (request_row, side)
) STRICT, WITHOUT ROWID;

-- What a selected session presents. One of each side works; those before are kept, so that none is given out twice.
CREATE TABLE pairing_credential (
  row INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  digest TEXT NOT NULL UNIQUE,
  key_row INTEGER NOT NULL REFERENCES access_key,
  request_row INTEGER NOT NULL REFERENCES pairing_request,
  side TEXT NOT NULL CHECK (side IN ('initiator', 'recipient')),
  member_row INTEGER NOT NULL REFERENCES member,
  session_binding TEXT NOT NULL,
  generation INTEGER NOT NULL,
  created_at TEXT NOT NULL,
  expires_at TEXT NOT NULL,
  ended_at TEXT
) STRICT;
CREATE INDEX pairing_credential_of ON pairing_credential (request_row);

-- A message to the other side and its reply, as the side told of it that got the reply.
CREATE TABLE pairing_evidence (
  request_row INTEGER NOT NULL REFERENCES pairing_request,
  side TEXT NOT NULL CHECK (side IN ('initiator', 'recipient')),
  ping_seq INTEGER NOT NULL,
  reply_seq INTEGER NOT NULL,
  handoff_id TEXT NOT NULL,
  credential_row INTEGER NOT NULL REFERENCES pairing_credential,
  told_at TEXT NOT NULL,
  PRIMARY KEY (request_row, side)
) STRICT, WITHOUT ROWID;
