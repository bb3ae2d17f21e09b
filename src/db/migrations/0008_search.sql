-- Words, for searching. The texts stay in their events: the index finds them again through the view, by place. It is
-- bookkeeping, filled from the log after the commits, and no read model that the log must bring along: emptied together
-- with its positions it fills itself again.
CREATE VIEW search_source (place, text) AS
  SELECT place, data ->> '$.body' FROM event WHERE type = 'message.posted';
CREATE VIRTUAL TABLE search_text USING fts5 (
  text,
  content = 'search_source', content_rowid = 'place', columnsize = 0,
  tokenize = "unicode61 remove_diacritics 2"
);
-- How far into each board's log the index has come: the place of the last event that it has looked at.
CREATE TABLE search_position (
  board_row INTEGER PRIMARY KEY,
  place INTEGER NOT NULL
) STRICT;
