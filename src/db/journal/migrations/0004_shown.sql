-- Whether the text has left the daemon for whoever shows it. Only then a turn can prove that the model had it.
ALTER TABLE handoff ADD COLUMN shown INTEGER NOT NULL DEFAULT 1 CHECK (shown IN (0, 1));
