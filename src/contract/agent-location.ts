import { record, t, text } from "./schema.ts";
import { Timestamp } from "./scalars.ts";

/** Where an agent says its session is. */
export const reportedLocation = {
  harness: text({ minLength: 1, maxLength: 40 }),
  session_id: text({ minLength: 1, maxLength: 512 }),
  folder: text({ minLength: 1, maxLength: 4096 }),
};

/** Where the last session of an agent was, if a session reported it. */
export const AgentLocation = record({
  machine: t.Optional(text({ maxLength: 40 })),
  ...reportedLocation,
  last_active: Timestamp,
});
