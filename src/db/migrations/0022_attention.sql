-- What needs a person, by that person, so that a look-up reads what is open and no board.

-- Whoever answers an ask: the person who is asked, or the person of the agent that is asked.
ALTER TABLE ask ADD COLUMN person_row INTEGER NOT NULL DEFAULT 0;
UPDATE ask SET person_row = (SELECT person_row FROM member WHERE row = ask.member_row);
CREATE INDEX unanswered_to_person ON ask (person_row, going_at) WHERE answer IS NULL;

-- The person of the agent that owns a task in progress. Null for every other task.
ALTER TABLE task ADD COLUMN worker_row INTEGER;
UPDATE task SET worker_row = (SELECT person_row FROM member WHERE row = task.owner_row AND kind = 'agent')
  WHERE state = 'in_progress';
CREATE INDEX task_of_worker ON task (worker_row) WHERE worker_row IS NOT NULL;

-- The place of an agent's last event that is not a message. Its last message has an index of its own.
CREATE TABLE agent_act (
  member_row INTEGER PRIMARY KEY,
  place INTEGER NOT NULL
) STRICT;
INSERT INTO agent_act
  SELECT m.row, max(e.place) FROM event e JOIN member m ON m.id = e.actor ->> '$.member_id'
  WHERE m.kind = 'agent' AND e.type <> 'message.posted' GROUP BY m.row;

-- Messages, and additions to boards, that a person has something to do with until they or an agent reply or read.
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
INSERT INTO attention_cause
  SELECT m.person_row, a.place, a.member_row, 'reply'
  FROM awaited_reply a JOIN member m ON m.row = a.member_row JOIN board b ON b.row = m.board_row
  WHERE b.lifecycle <> 'deleted';
INSERT INTO attention_cause
  SELECT m.person_row, r.place, r.member_row, 'late'
  FROM event e JOIN recipient r ON r.place = e.place AND r.addressed = 1 JOIN member m ON m.row = r.member_row
  WHERE e.type = 'message.posted' AND e.data ->> '$.expects_reply' = 1 AND e.data ->> '$.ask' IS NULL
    AND m.kind = 'agent' AND m.status = 'active'
    AND NOT EXISTS (SELECT 1 FROM reply d WHERE d.reply_to = e.place AND d.sender_row = r.member_row);
INSERT INTO attention_cause
  SELECT s.person_row, r.place, r.member_row, 'undelivered'
  FROM event e JOIN message p ON p.place = e.place JOIN member s ON s.row = p.sender_row
  JOIN recipient r ON r.place = e.place AND r.addressed = 1 JOIN member m ON m.row = r.member_row
  LEFT JOIN read_position c ON c.member_row = m.row
  WHERE e.type = 'message.posted' AND (e.data ->> '$.expects_reply' = 1 OR e.data ->> '$.urgent' = 1)
    AND s.kind = 'human' AND m.kind = 'agent' AND m.status = 'active' AND e.place % 4294967296 > coalesce(c.seq, 0);
INSERT INTO attention_cause
  SELECT DISTINCT m.person_row, e.place, m.row, 'mention'
  FROM event e JOIN message p ON p.place = e.place JOIN member s ON s.row = p.sender_row
  JOIN json_each(e.data, '$.mentions') n JOIN member m ON m.id = n.value ->> '$.id' JOIN board b ON b.row = m.board_row
  LEFT JOIN read_position c ON c.member_row = m.row
  WHERE e.type = 'message.posted' AND s.kind = 'human' AND m.kind = 'human' AND m.status = 'active'
    AND b.lifecycle <> 'deleted' AND e.place % 4294967296 > coalesce(c.seq, 0);
INSERT INTO attention_cause
  SELECT m.person_row, e.place, m.row, 'added'
  FROM event e JOIN member m ON m.id = e.data ->> '$.member_id' JOIN board b ON b.row = m.board_row
  LEFT JOIN read_position c ON c.member_row = m.row
  WHERE e.type = 'person.added' AND e.actor ->> '$.member_id' IS NOT m.id AND m.status = 'active'
    AND b.lifecycle <> 'deleted' AND e.place = m.board_row * 4294967296 + m.joined_seq AND m.joined_seq >= coalesce(c.seq, 0);

-- The people of the two agents of a loop, and the first message that did not wake, which tells one loop from the next.
ALTER TABLE agent_loop ADD COLUMN person_row INTEGER NOT NULL DEFAULT 0;
ALTER TABLE agent_loop ADD COLUMN sender_person_row INTEGER NOT NULL DEFAULT 0;
ALTER TABLE agent_loop ADD COLUMN began INTEGER NOT NULL DEFAULT 0;
UPDATE agent_loop SET began = place,
  person_row = (SELECT person_row FROM member WHERE row = agent_loop.member_row),
  sender_person_row = (SELECT person_row FROM member WHERE row = agent_loop.sender_row);
CREATE INDEX agent_loop_of_person ON agent_loop (person_row);
CREATE INDEX agent_loop_of_senders_person ON agent_loop (sender_person_row);

-- Bookkeeping: agents that wait for their person, by that person.
ALTER TABLE presence ADD COLUMN person_row INTEGER NOT NULL DEFAULT 0;
UPDATE presence SET person_row = (SELECT person_row FROM member WHERE row = presence.member_row);
CREATE INDEX waiting_for_person ON presence (person_row, reported_at) WHERE presence = 'waiting';

CREATE INDEX open_pairing_of_inviter ON pairing_request (inviter_row, expires_at)
  WHERE ended IS NULL AND ready_at IS NULL;
CREATE INDEX open_pairing_of_recipient ON pairing_request (recipient_row, expires_at)
  WHERE ended IS NULL AND ready_at IS NULL AND recipient_row IS NOT NULL;
CREATE INDEX machine_request_to_person ON machine_request (person_row, expires_at) WHERE state = 'pending';

-- Bookkeeping: what a person put aside. `item` is the id of the item.
CREATE TABLE attention_mark (
  person_row INTEGER NOT NULL REFERENCES person,
  item TEXT NOT NULL,
  dismissed INTEGER NOT NULL DEFAULT 0,
  -- Until when it is snoozed.
  until TEXT,
  PRIMARY KEY (person_row, item)
) STRICT, WITHOUT ROWID;
