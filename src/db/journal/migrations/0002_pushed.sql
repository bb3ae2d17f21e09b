-- Whether the harness took the text by itself. Then the harness is asked what became of it before it is handed again.
ALTER TABLE handoff ADD COLUMN pushed INTEGER NOT NULL DEFAULT 0 CHECK (pushed IN (0, 1));
