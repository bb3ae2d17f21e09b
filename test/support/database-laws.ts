import type { ReadTx } from "../../src/db/engine/database.ts";
import attention from "../../src/db/migrations/0022_attention.sql" with { type: "text" };

/** Persons and the questions to them that they have not replied to. */
const waiting =
  "SELECT member_row, r.place FROM recipient r JOIN event e ON e.place = r.place JOIN member m ON m.row = r.member_row WHERE m.kind = 'human' AND addressed AND json_extract(e.data, '$.expects_reply') AND json_extract(e.data, '$.ask') IS NULL AND NOT EXISTS (SELECT 1 FROM message n WHERE n.reply_to = r.place AND n.sender_row = r.member_row)";

/** Versions that an answer of the person asked approves, without an approval that stood already or comes with it. */
const unapproved = `
  SELECT n.place, f.value FROM answer n JOIN event e ON e.place = n.place JOIN ask a ON a.place = n.ask
  JOIN event q ON q.place = n.ask JOIN member m ON m.row = a.member_row, json_each(q.data, '$.files') f
  WHERE q.data ->> '$.ask.approval' AND e.data ->> '$.answer.option' = 1 AND e.actor ->> '$.member_id' = m.id
  AND NOT EXISTS (
    SELECT 1 FROM event p WHERE p.type = 'file.approved' AND p.actor ->> '$.member_id' = m.id
    AND p.data ->> '$.file_id' = f.value ->> 'id' AND p.data ->> '$.version' = f.value ->> 'version'
    AND p.data ->> '$.digest' = f.value ->> 'digest'
    AND p.place <= n.place + json_array_length(q.data, '$.files') AND p.place / 4294967296 = n.place / 4294967296
    AND NOT EXISTS (
      SELECT 1 FROM event r WHERE r.type IN ('file.approved', 'file.approval_removed') AND r.place > p.place
      AND r.place < n.place AND r.actor ->> '$.member_id' = m.id AND r.data ->> '$.file_id' = f.value ->> 'id'))`;

/** What concerns each person, as the migration reads it from the log and the read positions. A reply ends all of it. */
const stored = [...attention.matchAll(/INSERT INTO attention_cause\n([^;]+)/g)]
  .map(([, select]) => `SELECT * FROM (${select})`)
  .join(" UNION ALL ");
const concerning = `SELECT * FROM (${stored}) c WHERE NOT EXISTS (SELECT 1 FROM reply d WHERE d.reply_to = c.place AND d.sender_row = c.member_row)`;

/** What holds of every database, each with a statement that gives a row for what is not so. */
const laws = {
  "a message's number is how many there are up to it":
    "SELECT id FROM message m WHERE number <> (SELECT count(*) FROM message n WHERE n.place <= m.place AND n.place > (m.place / 4294967296) * 4294967296)",
  "a thread counts its replies and knows the last":
    "SELECT root FROM thread t WHERE reply_count <> (SELECT count(*) FROM message n WHERE n.root = t.root) OR last_reply <> (SELECT max(place) FROM message n WHERE n.root = t.root)",
  "every message with replies is a thread":
    "SELECT root FROM message WHERE root IS NOT NULL EXCEPT SELECT root FROM thread",
  "replies are the messages with a root":
    "SELECT root, place, reply_to, sender_row FROM message WHERE root IS NOT NULL EXCEPT SELECT root, place, reply_to, sender_row FROM reply",
  "a reply is a message with a root":
    "SELECT root, place, reply_to, sender_row FROM reply EXCEPT SELECT root, place, reply_to, sender_row FROM message WHERE root IS NOT NULL",
  "a reply's root is the root of what it answers, on the same board":
    "SELECT m.id FROM message m JOIN message n ON n.place = m.reply_to WHERE m.root <> coalesce(n.root, n.place) OR m.place / 4294967296 <> n.place / 4294967296",
  "a question waits for each person it names": `${waiting} EXCEPT SELECT member_row, place FROM awaited_reply`,
  "a question waits for nobody else, nor after a reply": `SELECT member_row, place FROM awaited_reply EXCEPT ${waiting}`,
  "whatever waits for a person or an agent is found by the person": `${concerning} EXCEPT SELECT * FROM attention_cause`,
  "nothing else is found by a person, nor after a reply or once it is read": `SELECT * FROM attention_cause EXCEPT SELECT * FROM (${concerning})`,
  "an ask is found by the person who is asked, or whose agent is":
    "SELECT place FROM ask a JOIN member m ON m.row = a.member_row WHERE a.person_row <> m.person_row",
  "a task in progress is found by the person whose agent owns it":
    "SELECT t.id FROM task t LEFT JOIN member m ON m.row = t.owner_row AND m.kind = 'agent' AND t.state = 'in_progress' WHERE t.worker_row IS NOT m.person_row",
  "nobody is a recipient of their own message":
    "SELECT * FROM recipient r JOIN message m ON m.place = r.place WHERE m.sender_row = r.member_row",
  "a message that was recorded is there":
    "SELECT place FROM event WHERE type = 'message.posted' EXCEPT SELECT place FROM message",
  "a message has its event":
    "SELECT place FROM message EXCEPT SELECT place FROM event WHERE type = 'message.posted'",
  "a log has no gap":
    "SELECT 1 FROM event GROUP BY place / 4294967296 HAVING count(*) <> max(place) % 4294967296",
  "a task is open exactly while nobody owns it and nobody closed it":
    "SELECT id FROM task WHERE (state = 'open') <> (owner_row IS NULL AND closed_at IS NULL)",
  "a task is in progress exactly while its owner works on it":
    "SELECT id FROM task WHERE (state = 'in_progress') <> (owner_row IS NOT NULL AND closed_at IS NULL)",
  "a board knows how many of its tasks are in each state":
    "SELECT * FROM (SELECT board_row, state, count FROM task_count WHERE count <> 0 EXCEPT SELECT board_row, state, count(*) FROM task GROUP BY board_row, state) UNION SELECT * FROM (SELECT board_row, state, count(*) FROM task GROUP BY board_row, state EXCEPT SELECT board_row, state, count FROM task_count)",
  "whoever owns a task does not help on it":
    "SELECT id FROM task t JOIN task_helper h ON h.task_row = t.row WHERE h.member_row = t.owner_row",
  "the tasks of a board are numbered without a gap":
    "SELECT board_row FROM task GROUP BY board_row HAVING count(*) <> max(number)",
  "a current task is an agent's, not closed, and theirs or one that they help on":
    "SELECT c.member_row FROM current_task c JOIN task t ON t.row = c.task_row JOIN member m ON m.row = c.member_row WHERE m.kind <> 'agent' OR t.closed_at IS NOT NULL OR (t.owner_row IS NOT c.member_row AND NOT EXISTS (SELECT 1 FROM task_helper h WHERE h.task_row = t.row AND h.member_row = c.member_row))",
  "nobody who is gone is on a task that is not closed":
    "SELECT t.id FROM task t JOIN board b ON b.row = t.board_row JOIN member m ON m.row = t.owner_row OR m.row IN (SELECT member_row FROM task_helper h WHERE h.task_row = t.row) WHERE t.closed_at IS NULL AND m.status <> 'active' AND b.lifecycle <> 'deleted'",
  "a line that a start set is of the task's owner, and the task is not closed":
    "SELECT l.member_row FROM agent_line l JOIN task t ON t.row = l.task_row WHERE l.source = 'task' AND (t.owner_row IS NOT l.member_row OR t.closed_at IS NOT NULL)",
  "a start sets a line about its task, and a line is about a task of its agent's board":
    "SELECT l.member_row FROM agent_line l JOIN member m ON m.row = l.member_row LEFT JOIN task t ON t.row = l.task_row WHERE (l.source = 'task' AND t.row IS NULL) OR t.board_row <> m.board_row",
  "a message is about the tasks that its event names, on its own board":
    "SELECT t.id, e.place FROM event e, json_each(e.data, '$.about') a JOIN task t ON t.id = a.value ->> 'id' AND t.board_row = e.place / 4294967296 WHERE e.type = 'message.posted' EXCEPT SELECT t.id, a.place FROM message_task a JOIN task t ON t.row = a.task_row",
  "a message is about no other task":
    "SELECT t.id, a.place FROM message_task a JOIN task t ON t.row = a.task_row EXCEPT SELECT a.value ->> 'id', e.place FROM event e, json_each(e.data, '$.about') a WHERE e.type = 'message.posted'",
  "messages about a task are numbered, and so are their threads":
    "SELECT * FROM message_task a JOIN message m USING (place) WHERE a.root <> coalesce(m.root, m.place) OR a.number <> (SELECT count(*) FROM message_task b WHERE b.task_row = a.task_row AND b.place <= a.place) OR a.thread_number <> (SELECT count(DISTINCT root) FROM message_task b WHERE b.task_row = a.task_row AND b.place <= a.place)",
  "an agent was on a task where its last message about one stands, or later":
    "SELECT m.sender_row FROM message m JOIN message_task a USING (place) JOIN member s ON s.row = m.sender_row LEFT JOIN last_on_task l ON l.member_row = s.row WHERE s.kind = 'agent' AND (l.place IS NULL OR l.place < m.place)",
  "a task's texts were written where their events stand":
    "SELECT t.id FROM task t WHERE t.stands_place IS NOT (SELECT max(place) FROM event e WHERE e.type = 'task.updated' AND e.data ->> '$.task_id' = t.id AND e.data ->> '$.stands' IS NOT NULL) OR t.about_place IS NOT (SELECT max(place) FROM event e WHERE e.type IN ('task.created', 'task.updated') AND e.data ->> '$.task_id' = t.id AND e.data ->> '$.about' IS NOT NULL)",
  "what a message asks is kept":
    "SELECT place FROM event WHERE type = 'message.posted' AND json_extract(data, '$.ask') IS NOT NULL EXCEPT SELECT place FROM ask",
  "an ask is of the one member it names, by its sender":
    "SELECT a.place FROM ask a JOIN event e ON e.place = a.place JOIN message m ON m.place = a.place JOIN member t ON t.row = a.member_row WHERE t.id <> json_extract(e.data, '$.ask.to') OR m.sender_row <> a.asker_row OR a.board_row <> a.place / 4294967296",
  "an ask knows its newest answer":
    "SELECT a.place FROM ask a WHERE a.answer IS NOT coalesce((SELECT e.place FROM event e WHERE e.place = a.answer AND e.type = 'ask.withdrawn' AND a.withdrawn), (SELECT max(n.place) FROM answer n WHERE n.ask = a.place))",
  "what answers is a reply to what it answers":
    "SELECT n.place FROM answer n JOIN message m ON m.place = n.place WHERE m.reply_to <> n.ask",
  "nothing answers an ask after its withdrawal":
    "SELECT n.place FROM answer n JOIN event e ON e.place = n.place JOIN ask a ON a.place = n.ask WHERE json_extract(e.data, '$.answer.withdrawn') AND (n.place <> a.answer OR NOT a.withdrawn)",
  "an answer that approves is followed by the approval of each version that its ask cites, unless it stood already":
    unapproved,
  "a file's versions are numbered without a gap, and the newest is its latest":
    "SELECT id FROM file f WHERE (SELECT count(*) FROM file_version v WHERE v.file_row = f.row) <> latest OR (SELECT max(version) FROM file_version v WHERE v.file_row = f.row) <> latest OR (SELECT max(place) FROM file_version v WHERE v.file_row = f.row) <> latest_place",
  "a board has one brief on its list at most, and keeps it current":
    "SELECT board_row FROM file WHERE removed = 0 AND name IN ('brief.md', 'brief.html') GROUP BY board_row HAVING count(*) > 1 OR min(maintained) = 0",
  "an approval is a person's, of a version that there is":
    "SELECT * FROM file_approval a JOIN member m ON m.row = a.member_row WHERE m.kind <> 'human' OR NOT EXISTS (SELECT 1 FROM file_version v WHERE v.file_row = a.file_row AND v.version = a.version)",
  "a file is about tasks of its own board":
    "SELECT f.id FROM file_task a JOIN file f ON f.row = a.file_row JOIN task t ON t.row = a.task_row WHERE t.board_row <> f.board_row",
  "a message attaches the versions that its event names":
    "SELECT f.id, v.version, v.sha256, e.place FROM event e, json_each(e.data, '$.files') a JOIN file f ON f.id = a.value ->> 'id' AND f.board_row = e.place / 4294967296 JOIN file_version v ON v.file_row = f.row AND 'sha256:' || v.sha256 = a.value ->> 'digest' AND v.version = a.value ->> 'version' WHERE e.type = 'message.posted' EXCEPT SELECT f.id, v.version, v.sha256, p.place FROM file_posted p JOIN file f ON f.row = p.file_row JOIN file_version v ON v.file_row = p.file_row AND v.version = p.version",
  "a message attaches no other version":
    "SELECT f.id, p.version, p.place FROM file_posted p JOIN file f ON f.row = p.file_row EXCEPT SELECT a.value ->> 'id', a.value ->> 'version', e.place FROM event e, json_each(e.data, '$.files') a WHERE e.type = 'message.posted'",
  "a join code counts the agents that joined with it":
    "SELECT id FROM join_code c WHERE uses <> (SELECT count(*) FROM event e WHERE e.type = 'member.joined' AND e.data ->> '$.kind' = 'agent' AND e.data ->> '$.join_code_id' = c.id)",
  "a position is never past the head":
    "SELECT * FROM read_position p JOIN member m ON m.row = p.member_row WHERE p.seq > (SELECT max(place) % 4294967296 FROM event WHERE place / 4294967296 = m.board_row)",
};

/** The laws of the read models that do not hold. */
export const brokenLaws = (tx: ReadTx): string[] =>
  Object.entries(laws).flatMap(([law, sql]) => (tx.all(sql).length > 0 ? law : []));
