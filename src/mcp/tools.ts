import type { Tool } from "./tool.ts";
import { api } from "./tools/api.ts";
import { ask } from "./tools/ask.ts";
import { file } from "./tools/file.ts";
import { inbox } from "./tools/inbox.ts";
import { read } from "./tools/read.ts";
import { say } from "./tools/say.ts";
import { search } from "./tools/search.ts";
import { task } from "./tools/task.ts";

/** Every tool, in the order in which they are listed. */
export const tools: readonly Tool[] = [say, inbox, read, task, ask, file, search, api];
