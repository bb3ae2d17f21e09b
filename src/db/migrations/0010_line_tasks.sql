-- The task that a line is about: closing it, or giving the agent's part of it up, takes the line away.
ALTER TABLE agent_line ADD COLUMN task_row INTEGER;
CREATE INDEX line_of_task ON agent_line (task_row) WHERE task_row IS NOT NULL;
