import { record, t, text } from "./schema.ts";

/** What leads on: a command that runs as it is, and what is to be done or said then. It is guidance and grants nothing. */
export const NextStep = record({
  command: text({ minLength: 1 }),
  resume: t.String(),
  board_view: t.Optional(t.String()),
});
