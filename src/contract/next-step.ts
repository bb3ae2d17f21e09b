import { record, t, text } from "./schema.ts";

/** The next step: a command to run as it is, and what to do or say after it. It is guidance and grants nothing. */
export const NextStep = record({
  command: text({ minLength: 1 }),
  resume: t.String(),
  board_view: t.Optional(t.String()),
});
