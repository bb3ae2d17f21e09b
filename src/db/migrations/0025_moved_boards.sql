-- A board that went on at another server. Here it stays archived.
CREATE TABLE moved_board (
  board_row INTEGER PRIMARY KEY,
  -- The address of that server, and the board's id there.
  server TEXT NOT NULL,
  board_id TEXT NOT NULL
) STRICT;
