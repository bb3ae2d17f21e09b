import type { Feature } from "./registry.ts";
import { attentionReadings } from "./features/attention-reading.ts";
import { askReadings } from "./features/ask-reading.ts";
import { boardCommands } from "./features/boards.ts";
import { codes } from "./features/codes.ts";
import { inboxStreams } from "./features/inbox-stream.ts";
import { lines } from "./features/lines.ts";
import { memberCommands } from "./features/members.ts";
import { messageCommands } from "./features/messages.ts";
import { postingCommands } from "./features/posting.ts";
import { messageReadings } from "./features/reading.ts";
import { taskReadings } from "./features/task-reading.ts";
import { taskCommands } from "./features/tasks.ts";

/** What happens in the histories. A new feature adds a file in `features` and a line here. */
export const features: readonly Feature[] = [
  { commands: postingCommands, readings: askReadings },
  { commands: messageCommands, readings: messageReadings },
  { commands: taskCommands, readings: taskReadings },
  { commands: memberCommands, readings: [] },
  { commands: boardCommands, readings: [] },
  { commands: [], readings: attentionReadings },
  lines,
  inboxStreams,
  codes,
];
