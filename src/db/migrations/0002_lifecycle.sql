-- An archived board is read and not written; of a deleted one only the record and the name remain.
ALTER TABLE board ADD COLUMN lifecycle TEXT NOT NULL DEFAULT 'active' CHECK (lifecycle IN ('active', 'archived', 'deleted'));
CREATE INDEX join_code_of_board ON join_code (board_row);
