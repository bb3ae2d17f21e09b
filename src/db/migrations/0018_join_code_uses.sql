-- How many agents joined with a code. Made by the log alone.
ALTER TABLE join_code ADD COLUMN uses INTEGER NOT NULL DEFAULT 0;
UPDATE join_code SET uses = joined.uses FROM (
  SELECT data ->> '$.join_code_id' AS id, count(*) AS uses FROM event
  WHERE type = 'member.joined' AND data ->> '$.kind' = 'agent' GROUP BY 1
) joined WHERE join_code.id = joined.id;
