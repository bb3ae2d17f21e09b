-- How many tasks of a board are in each state. Made by the log alone.
CREATE TABLE task_count (
  board_row INTEGER NOT NULL,
  state TEXT NOT NULL,
  count INTEGER NOT NULL,
  PRIMARY KEY (board_row, state)
) STRICT, WITHOUT ROWID;
INSERT INTO task_count SELECT board_row, state, count(*) FROM task GROUP BY board_row, state;
