-- What the migrations add up to, written by a program. Change the schema by adding a migration.

CREATE TABLE server (
  id TEXT NOT NULL,
  mode TEXT NOT NULL CHECK (mode IN ('local', 'team')),
  board_creation TEXT NOT NULL DEFAULT 'members' CHECK (board_creation IN ('members', 'admins')),
  agents_add_people INTEGER NOT NULL DEFAULT 1
, generation TEXT) STRICT;

CREATE TABLE access_key (
  row INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  person_row INTEGER NOT NULL REFERENCES person,
  name TEXT NOT NULL,
  digest TEXT NOT NULL UNIQUE,
  created_at TEXT NOT NULL,
  expires_at TEXT,
  idle_expiry_seconds INTEGER,
  revoked_at TEXT,
  last_used_at TEXT
) STRICT;

CREATE INDEX access_key_of_person ON access_key (person_row);

CREATE TABLE invite (
  id TEXT PRIMARY KEY,
  digest TEXT NOT NULL UNIQUE,
  person_row INTEGER NOT NULL REFERENCES person,
  boards TEXT NOT NULL,
  created_at TEXT NOT NULL,
  expires_at TEXT NOT NULL,
  redeemed_at TEXT
, revoked_at TEXT, redeemed_key_row INTEGER REFERENCES access_key, redeemed_handle TEXT) STRICT;

CREATE TABLE board (
  row INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL UNIQUE,
  title TEXT,
  visibility TEXT NOT NULL CHECK (visibility IN ('open', 'private')),
  template TEXT,
  charter TEXT NOT NULL,
  policy TEXT NOT NULL,
  agents_add_people INTEGER NOT NULL,
  task_prefix TEXT,
  created_at TEXT NOT NULL
, lifecycle TEXT NOT NULL DEFAULT 'active' CHECK (lifecycle IN ('active', 'archived', 'deleted'))) STRICT;

CREATE TABLE board_role (
  board_row INTEGER NOT NULL REFERENCES board,
  name TEXT NOT NULL,
  can TEXT NOT NULL,
  charter TEXT,
  PRIMARY KEY (board_row, name)
) STRICT, WITHOUT ROWID;

CREATE TABLE task_prefix (
  prefix TEXT PRIMARY KEY,
  board_row INTEGER NOT NULL REFERENCES board
) STRICT, WITHOUT ROWID;

CREATE TABLE join_code (
  id TEXT PRIMARY KEY,
  board_row INTEGER NOT NULL REFERENCES board,
  role TEXT NOT NULL,
  maker_row INTEGER NOT NULL REFERENCES member,
  created_at TEXT NOT NULL,
  expires_at TEXT NOT NULL,
  revoked_at TEXT
, guest TEXT, guest_row INTEGER REFERENCES person, used_at TEXT, uses INTEGER NOT NULL DEFAULT 0) STRICT;

CREATE INDEX join_code_of_maker ON join_code (maker_row);

CREATE TABLE message (
  place INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  sender_row INTEGER NOT NULL,
  to_all INTEGER NOT NULL,
  -- How many messages the board has up to and including this one: counts what follows without reading it.
  number INTEGER NOT NULL,
  -- The same of its sender's messages.
  sender_number INTEGER NOT NULL,
  reply_to INTEGER,
  root INTEGER
, quiet INTEGER NOT NULL DEFAULT 0) STRICT;

CREATE INDEX message_of_sender ON message (sender_row, place);

CREATE TABLE reply (
  root INTEGER NOT NULL,
  place INTEGER NOT NULL,
  reply_to INTEGER NOT NULL,
  sender_row INTEGER NOT NULL,
  PRIMARY KEY (root, place)
) STRICT, WITHOUT ROWID;

CREATE INDEX direct_reply ON reply (reply_to, sender_row, place);

CREATE TABLE thread (
  root INTEGER PRIMARY KEY,
  reply_count INTEGER NOT NULL,
  last_reply INTEGER NOT NULL
) STRICT;

CREATE INDEX thread_by_last_reply ON thread (last_reply);

CREATE TABLE recipient (
  member_row INTEGER NOT NULL,
  place INTEGER NOT NULL,
  addressed INTEGER NOT NULL,
  PRIMARY KEY (member_row, place)
) STRICT, WITHOUT ROWID;

CREATE TABLE awaited_reply (
  member_row INTEGER NOT NULL,
  place INTEGER NOT NULL,
  PRIMARY KEY (member_row, place)
) STRICT, WITHOUT ROWID;

CREATE TABLE reaction (
  place INTEGER NOT NULL,
  name TEXT NOT NULL,
  member_row INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  PRIMARY KEY (place, name, member_row)
) STRICT, WITHOUT ROWID;

CREATE TABLE event (
  place INTEGER PRIMARY KEY,
  id TEXT NOT NULL,
  type TEXT NOT NULL,
  at TEXT NOT NULL,
  actor TEXT NOT NULL,
  data TEXT NOT NULL,
  data_hash TEXT NOT NULL,
  hash TEXT NOT NULL
) STRICT;

CREATE TABLE seat_token (
  member_row INTEGER PRIMARY KEY REFERENCES member,
  digest TEXT NOT NULL UNIQUE,
  key_row INTEGER NOT NULL REFERENCES access_key,
  session TEXT
) STRICT;

CREATE INDEX seat_token_of_key ON seat_token (key_row);

CREATE TABLE join_code_digest (
  digest TEXT PRIMARY KEY,
  join_code_id TEXT NOT NULL UNIQUE REFERENCES join_code
) STRICT, WITHOUT ROWID;

CREATE TABLE read_position (
  member_row INTEGER PRIMARY KEY,
  seq INTEGER NOT NULL
) STRICT;

CREATE TABLE presence (
  member_row INTEGER PRIMARY KEY,
  presence TEXT NOT NULL,
  since TEXT NOT NULL,
  reported_at TEXT NOT NULL,
  delivery TEXT,
  lapse_told INTEGER NOT NULL DEFAULT 0
, person_row INTEGER NOT NULL DEFAULT 0) STRICT;

CREATE TABLE kept_answer (
  row INTEGER PRIMARY KEY,
  credential TEXT NOT NULL,
  idempotency_key TEXT NOT NULL,
  request_hash TEXT NOT NULL,
  status INTEGER NOT NULL,
  body TEXT NOT NULL,
  kept_at TEXT NOT NULL,
  UNIQUE (credential, idempotency_key)
) STRICT;

CREATE INDEX join_code_of_board ON join_code (board_row);

CREATE TABLE role_target (
  role TEXT NOT NULL,
  place INTEGER NOT NULL,
  PRIMARY KEY (role, place)
) STRICT, WITHOUT ROWID;

CREATE TABLE "person" (
  row INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  handle TEXT NOT NULL,
  display_name TEXT,
  server_role TEXT NOT NULL CHECK (server_role IN ('admin', 'member', 'guest')),
  created_at TEXT NOT NULL,
  removed_at TEXT
) STRICT;

CREATE UNIQUE INDEX person_with_handle ON person (handle) WHERE removed_at IS NULL;

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

CREATE INDEX invite_of_person ON invite (person_row);

CREATE INDEX invite_redeemed_with ON invite (redeemed_key_row) WHERE redeemed_key_row IS NOT NULL;

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
  stands_at TEXT, about_place INTEGER, stands_place INTEGER, text_place INTEGER, worker_row INTEGER,
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

CREATE TABLE current_task (
  member_row INTEGER PRIMARY KEY,
  task_row INTEGER NOT NULL
) STRICT;

CREATE INDEX current_task_of ON current_task (task_row);

CREATE TABLE agent_line (
  member_row INTEGER PRIMARY KEY,
  kind TEXT NOT NULL CHECK (kind IN ('working', 'paused')),
  text TEXT NOT NULL,
  until TEXT,
  -- The agent, or its person.
  setter_row INTEGER NOT NULL,
  source TEXT NOT NULL,
  set_at TEXT NOT NULL,
  late_told INTEGER NOT NULL DEFAULT 0
, task_row INTEGER) STRICT;

CREATE INDEX paused_line ON agent_line (until) WHERE kind = 'paused' AND late_told = 0;

CREATE VIEW search_source (place, text) AS
  SELECT place, data ->> '$.body' FROM event WHERE type = 'message.posted';

CREATE VIRTUAL TABLE search_text USING fts5 (
  text,
  content = 'search_source', content_rowid = 'place', columnsize = 0,
  tokenize = "unicode61 remove_diacritics 2"
);

CREATE TABLE 'search_text_data'(id INTEGER PRIMARY KEY, block BLOB);

CREATE TABLE 'search_text_idx'(segid, term, pgno, PRIMARY KEY(segid, term)) WITHOUT ROWID;

CREATE TABLE 'search_text_config'(k PRIMARY KEY, v) WITHOUT ROWID;

CREATE TABLE search_position (
  board_row INTEGER PRIMARY KEY,
  place INTEGER NOT NULL
) STRICT;

CREATE TABLE message_task (
  task_row INTEGER NOT NULL,
  place INTEGER NOT NULL,
  -- The first message of its thread: itself when it replies to nothing.
  root INTEGER NOT NULL,
  -- How many messages are about the task up to and including this one, and in how many threads: counts them without reading them.
  number INTEGER NOT NULL,
  thread_number INTEGER NOT NULL,
  PRIMARY KEY (task_row, place)
) STRICT, WITHOUT ROWID;

CREATE INDEX message_task_thread ON message_task (task_row, root);

CREATE TABLE last_on_task (
  member_row INTEGER PRIMARY KEY,
  place INTEGER NOT NULL
) STRICT;

CREATE INDEX line_of_task ON agent_line (task_row) WHERE task_row IS NOT NULL;

CREATE TABLE file (
  row INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  board_row INTEGER NOT NULL REFERENCES board,
  name TEXT NOT NULL,
  maintained INTEGER NOT NULL,
  -- The newest version, and the place of the event that recorded it.
  latest INTEGER NOT NULL,
  latest_place INTEGER NOT NULL,
  removed INTEGER NOT NULL DEFAULT 0
, text_place INTEGER, writer_row INTEGER) STRICT;

CREATE UNIQUE INDEX file_named ON file (board_row, name) WHERE removed = 0;

CREATE INDEX file_in_order ON file (board_row, maintained, latest_place) WHERE removed = 0;

CREATE TABLE file_version (
  file_row INTEGER NOT NULL,
  version INTEGER NOT NULL,
  -- Place of the event that recorded it.
  place INTEGER NOT NULL,
  -- Of the bytes, in lowercase hex.
  sha256 TEXT NOT NULL,
  size INTEGER NOT NULL,
  media_type TEXT NOT NULL,
  writer_row INTEGER NOT NULL,
  written_at TEXT NOT NULL,
  base INTEGER NOT NULL,
  PRIMARY KEY (file_row, version)
) STRICT, WITHOUT ROWID;

CREATE INDEX file_version_of_bytes ON file_version (sha256);

CREATE INDEX file_version_of_writer ON file_version (writer_row, file_row);

CREATE TABLE file_task (
  file_row INTEGER NOT NULL,
  ordinal INTEGER NOT NULL,
  task_row INTEGER NOT NULL,
  PRIMARY KEY (file_row, ordinal)
) STRICT, WITHOUT ROWID;

CREATE INDEX file_of_task ON file_task (task_row, file_row);

CREATE TABLE file_approval (
  file_row INTEGER NOT NULL,
  member_row INTEGER NOT NULL,
  version INTEGER NOT NULL,
  place INTEGER NOT NULL,
  approved_at TEXT NOT NULL,
  PRIMARY KEY (file_row, member_row)
) STRICT, WITHOUT ROWID;

CREATE TABLE file_posted (
  file_row INTEGER NOT NULL,
  place INTEGER NOT NULL,
  version INTEGER NOT NULL,
  PRIMARY KEY (file_row, place, version)
) STRICT, WITHOUT ROWID;

CREATE INDEX task_closing ON event (place) WHERE type = 'task.done';

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
, person_row INTEGER NOT NULL DEFAULT 0) STRICT;

CREATE INDEX ask_on_board ON ask (board_row);

CREATE INDEX ask_of_asker ON ask (asker_row);

CREATE INDEX ask_to_member ON ask (member_row);

CREATE INDEX ask_about_task ON ask (task_row) WHERE task_row IS NOT NULL;

CREATE INDEX unanswered_on_board ON ask (board_row, going_at) WHERE answer IS NULL;

CREATE INDEX unanswered_of_asker ON ask (asker_row, going_at) WHERE answer IS NULL;

CREATE INDEX unanswered_to_member ON ask (member_row, going_at) WHERE answer IS NULL;

CREATE INDEX unanswered_about_task ON ask (task_row, going_at) WHERE answer IS NULL AND task_row IS NOT NULL;

CREATE TABLE answer (
  place INTEGER PRIMARY KEY,
  ask INTEGER NOT NULL
) STRICT;

CREATE TABLE midturn_default (
  person_row INTEGER PRIMARY KEY,
  policy TEXT NOT NULL CHECK (policy IN ('owner-only', 'my-agents'))
) STRICT;

CREATE TABLE midturn_override (
  member_row INTEGER PRIMARY KEY,
  policy TEXT NOT NULL CHECK (policy IN ('owner-only', 'my-agents'))
) STRICT;

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

CREATE TABLE allowance (
  person_row INTEGER PRIMARY KEY REFERENCES person,
  categories TEXT NOT NULL,
  revision INTEGER NOT NULL
) STRICT;

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

CREATE UNIQUE INDEX task_by_text ON task (text_place);

CREATE INDEX task_of_opener ON task (opener_row, text_place);

CREATE VIEW search_task_source (place, ref, title, about, stands, closed_note) AS
  SELECT text_place, ref, title, about, stands, closed_note FROM task;

CREATE VIRTUAL TABLE search_task USING fts5 (
  ref, title, about, stands, closed_note,
  content = 'search_task_source', content_rowid = 'place', columnsize = 0,
  tokenize = "unicode61 remove_diacritics 2"
);

CREATE TABLE 'search_task_data'(id INTEGER PRIMARY KEY, block BLOB);

CREATE TABLE 'search_task_idx'(segid, term, pgno, PRIMARY KEY(segid, term)) WITHOUT ROWID;

CREATE TABLE 'search_task_config'(k PRIMARY KEY, v) WITHOUT ROWID;

CREATE UNIQUE INDEX file_by_text ON file (text_place) WHERE text_place IS NOT NULL;

CREATE INDEX file_of_writer ON file (writer_row, text_place) WHERE text_place IS NOT NULL;

CREATE VIEW search_file_source (place, name) AS
  SELECT text_place, name FROM file WHERE text_place IS NOT NULL;

CREATE VIRTUAL TABLE search_file USING fts5 (
  name,
  content = 'search_file_source', content_rowid = 'place', columnsize = 0,
  tokenize = "unicode61 remove_diacritics 2"
);

CREATE TABLE 'search_file_data'(id INTEGER PRIMARY KEY, block BLOB);

CREATE TABLE 'search_file_idx'(segid, term, pgno, PRIMARY KEY(segid, term)) WITHOUT ROWID;

CREATE TABLE 'search_file_config'(k PRIMARY KEY, v) WITHOUT ROWID;

CREATE TABLE task_count (
  board_row INTEGER NOT NULL,
  state TEXT NOT NULL,
  count INTEGER NOT NULL,
  PRIMARY KEY (board_row, state)
) STRICT, WITHOUT ROWID;

CREATE INDEX message_to_all ON message (place, sender_row, quiet) WHERE to_all = 1;

CREATE TABLE damped (
  member_row INTEGER NOT NULL,
  place INTEGER NOT NULL,
  PRIMARY KEY (member_row, place)
) STRICT, WITHOUT ROWID;

CREATE TABLE agent_loop (
  member_row INTEGER NOT NULL,
  sender_row INTEGER NOT NULL,
  board_row INTEGER NOT NULL,
  -- The sender's newest message that did not wake the member.
  place INTEGER NOT NULL,
  -- Whether several agents were waking each other in turn, and not only these two.
  ring INTEGER NOT NULL, person_row INTEGER NOT NULL DEFAULT 0, sender_person_row INTEGER NOT NULL DEFAULT 0, began INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (member_row, sender_row)
) STRICT, WITHOUT ROWID;

CREATE INDEX agent_loop_of_sender ON agent_loop (sender_row);

CREATE INDEX agent_loop_on_board ON agent_loop (board_row, ring);

CREATE INDEX board_listed ON board (visibility, lifecycle);

CREATE INDEX unanswered_to_person ON ask (person_row, going_at) WHERE answer IS NULL;

CREATE INDEX task_of_worker ON task (worker_row) WHERE worker_row IS NOT NULL;

CREATE TABLE agent_act (
  member_row INTEGER PRIMARY KEY,
  place INTEGER NOT NULL
) STRICT;

CREATE TABLE attention_cause (
  -- Who is to be told.
  person_row INTEGER NOT NULL,
  place INTEGER NOT NULL,
  -- Who ends it by a reply or by reading: the person's own member, or an agent.
  member_row INTEGER NOT NULL,
  -- `reply` and `late` wait for the member's reply, `mention`, `added` and `undelivered` for its read position.
  kind TEXT NOT NULL CHECK (kind IN ('reply', 'late', 'mention', 'added', 'undelivered')),
  PRIMARY KEY (person_row, place, member_row, kind)
) STRICT, WITHOUT ROWID;

CREATE INDEX attention_cause_of_member ON attention_cause (member_row, place);

CREATE INDEX agent_loop_of_person ON agent_loop (person_row);

CREATE INDEX agent_loop_of_senders_person ON agent_loop (sender_person_row);

CREATE INDEX waiting_for_person ON presence (person_row, reported_at) WHERE presence = 'waiting';

CREATE INDEX open_pairing_of_inviter ON pairing_request (inviter_row, expires_at)
  WHERE ended IS NULL AND ready_at IS NULL;

CREATE INDEX open_pairing_of_recipient ON pairing_request (recipient_row, expires_at)
  WHERE ended IS NULL AND ready_at IS NULL AND recipient_row IS NOT NULL;

CREATE INDEX machine_request_to_person ON machine_request (person_row, expires_at) WHERE state = 'pending';

CREATE TABLE attention_mark (
  person_row INTEGER NOT NULL REFERENCES person,
  item TEXT NOT NULL,
  dismissed INTEGER NOT NULL DEFAULT 0,
  -- Until when it is snoozed.
  until TEXT,
  PRIMARY KEY (person_row, item)
) STRICT, WITHOUT ROWID;

CREATE TABLE imported_board (
  board_row INTEGER PRIMARY KEY,
  -- The address of the server that it came from.
  origin TEXT NOT NULL,
  name TEXT NOT NULL,
  -- Where its log ended there.
  head_seq INTEGER NOT NULL,
  imported_at TEXT NOT NULL
) STRICT;

CREATE TABLE stand_in (
  row INTEGER PRIMARY KEY CHECK (row < 0),
  board_row INTEGER NOT NULL,
  id TEXT NOT NULL,
  handle TEXT NOT NULL,
  -- The address of their server.
  origin TEXT NOT NULL,
  UNIQUE (board_row, id)
) STRICT;

CREATE TABLE "member" (
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

CREATE UNIQUE INDEX member_named ON member (board_row, name) WHERE person_row > 0;

CREATE INDEX member_by_name ON member (board_row, name);

CREATE INDEX member_by_person ON member (board_row, kind, status, person_row);

CREATE INDEX member_by_role ON member (board_row, role, joined_seq);

CREATE TABLE restore (
  row INTEGER PRIMARY KEY,
  backup TEXT NOT NULL,
  taken_at TEXT NOT NULL,
  restored_at TEXT NOT NULL,
  generation TEXT NOT NULL,
  choice TEXT NOT NULL CHECK (choice IN ('keep', 'revoke')),
  boards INTEGER NOT NULL,
  events INTEGER NOT NULL,
  people INTEGER NOT NULL,
  files INTEGER NOT NULL
) STRICT;

CREATE TABLE moved_board (
  board_row INTEGER PRIMARY KEY,
  -- The address of that server, and the board's id there.
  server TEXT NOT NULL,
  board_id TEXT NOT NULL
) STRICT;
