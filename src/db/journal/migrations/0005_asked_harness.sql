-- The folder of the harness's settings that a session runs with. Null for the usual one.
ALTER TABLE session ADD COLUMN config_dir TEXT;
-- Whether nothing is left to learn from the harness about a text that it took by itself.
ALTER TABLE handoff ADD COLUMN settled INTEGER NOT NULL DEFAULT 0 CHECK (settled IN (0, 1));
