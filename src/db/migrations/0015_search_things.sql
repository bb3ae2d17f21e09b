-- Tasks and files are searched as they are now: the place of the event that last changed what is searched of one, and
-- beside the words of messages an index of theirs, whose row numbers are these places. Unlike the index of messages they
-- are brought along by the log, so they have every task and file at any time. They keep no text either: they read the rows.
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

-- Null once a file is off its board's list.
ALTER TABLE file ADD COLUMN text_place INTEGER;
-- Of the newest version.
ALTER TABLE file ADD COLUMN writer_row INTEGER;
UPDATE file SET writer_row = (SELECT v.writer_row FROM file_version v WHERE v.file_row = file.row AND v.version = file.latest);
UPDATE file SET text_place = written.place FROM (
  SELECT data ->> '$.file_id' AS id, max(place) AS place FROM event
  WHERE type IN ('file.version_added', 'file.renamed') GROUP BY 1
) AS written WHERE file.id = written.id AND file.removed = 0;
CREATE UNIQUE INDEX file_by_text ON file (text_place) WHERE text_place IS NOT NULL;
CREATE INDEX file_of_writer ON file (writer_row, text_place) WHERE text_place IS NOT NULL;

CREATE VIEW search_file_source (place, name) AS
  SELECT text_place, name FROM file WHERE text_place IS NOT NULL;
CREATE VIRTUAL TABLE search_file USING fts5 (
  name,
  content = 'search_file_source', content_rowid = 'place', columnsize = 0,
  tokenize = "unicode61 remove_diacritics 2"
);
INSERT INTO search_file (search_file) VALUES ('rebuild');
