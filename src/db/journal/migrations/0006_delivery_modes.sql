-- The delivery mode of a seat as its server last said it. It holds until the server is read again.
CREATE TABLE delivery_mode (
  server    TEXT NOT NULL,
  member_id TEXT NOT NULL,
  mode      TEXT NOT NULL CHECK (mode IN ('focused', 'all', 'humans', 'off')),
  revision  INTEGER NOT NULL,
  PRIMARY KEY (server, member_id)
) STRICT, WITHOUT ROWID;
