-- Which tasks each message is about. Made by the log alone.
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

-- Up to where an agent was on tasks: its last message that is about one, or the end of its last current task.
CREATE TABLE last_on_task (
  member_row INTEGER PRIMARY KEY,
  place INTEGER NOT NULL
) STRICT;

-- Where each text of a task was written last. Null while nobody wrote it.
ALTER TABLE task ADD COLUMN about_place INTEGER;
ALTER TABLE task ADD COLUMN stands_place INTEGER;
UPDATE task SET about_place = written.place FROM (
  SELECT data ->> '$.task_id' AS id, max(place) AS place FROM event
  WHERE type IN ('task.created', 'task.updated') AND data ->> '$.about' IS NOT NULL GROUP BY 1
) written WHERE written.id = task.id;
UPDATE task SET stands_place = written.place FROM (
  SELECT data ->> '$.task_id' AS id, max(place) AS place FROM event
  WHERE type = 'task.updated' AND data ->> '$.stands' IS NOT NULL GROUP BY 1
) written WHERE written.id = task.id;
