import { record, t, text } from "./schema.ts";
import { Timestamp } from "./scalars.ts";

/** What an agent says of where its session is. */
export const reportedLocation = {
  harness: text({ minLength: 1, maxLength: 40 }),
  session_id: text({ minLength: 1, maxLength: 512 }),
  folder: text({ minLength: 1, maxLength: 4096 }),
};

/** Where the last session of an agent was, as far as one said. */
export const AgentLocation = record({
  machine: t.Optional(text({ maxLength: 40 })),
  ...reportedLocation,
  last_active: Timestamp,
});
