-- Tasks are searched as they are now: the place of the event that last changed a text of theirs, and beside the words of
-- messages an index of theirs, whose row numbers are these places. Unlike the index of messages it is brought along by
-- the log, so it has every task at any time. It keeps no text either: it reads the task's row.
ALTER TABLE task ADD COLUMN text_place INTEGER;
UPDATE task SET text_place = written.place FROM (
  SELECT data ->> '$.task_id' AS id, max(place) AS place FROM event
  WHERE type IN ('task.created', 'task.updated', 'task.done') GROUP BY 1
) AS written WHERE task.id = written.id;
CREATE UNIQUE INDEX task_by_text ON task (text_place);
CREATE INDEX task_of_opener ON task (opener_row, text_place);

CREATE VIEW search_task_source (place, ref, title, about, stands, closed_note) AS
  SELECT text_place, ref, title, about, stands, closed_note FROM task;
CREATE VIRTUAL TABLE search_task USING fts5 (
  ref, title, about, stands, closed_note,
  content = 'search_task_source', content_rowid = 'place', columnsize = 0,
  tokenize = "unicode61 remove_diacritics 2"
);
INSERT INTO search_task (search_task) VALUES ('rebuild');
