-- Each change of a task or a file leaves a part of its search index, and a search looks into every part. They are few, so
-- four parts are put together at once.
INSERT INTO search_task (search_task, rank) VALUES ('crisismerge', 4);
INSERT INTO search_file (search_file, rank) VALUES ('crisismerge', 4);
