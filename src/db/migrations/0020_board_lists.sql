-- Boards by visibility and lifecycle, in the order in which they were made: a page of a list passes over none that it does not show.
CREATE INDEX board_listed ON board (visibility, lifecycle);
