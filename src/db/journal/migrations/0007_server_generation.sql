-- The generation of the server that a seat's messages were numbered by. A restored server has another one, and gives numbers anew.
CREATE TABLE server_generation (
  server     TEXT NOT NULL,
  member_id  TEXT NOT NULL,
  generation TEXT NOT NULL,
  PRIMARY KEY (server, member_id)
) STRICT, WITHOUT ROWID;
