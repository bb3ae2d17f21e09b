import { actorFlags, defineCommand } from "../frame/command.ts";
import { changedTask } from "./changed-task.ts";
import { refuseTaskAsText, taskMeant, taskPlace } from "./task-place.ts";
import { integer } from "../frame/values.ts";

export default defineCommand({
  summary: "Say where a task stands",
  acts: "either",
  args: {
    text: { type: "positional", quoted: true, description: "Where it stands now, in quotes." },
    task: { type: "string", valueHint: "ID", description: "The task (else your current one)." },
    base: {
      type: "string",
      valueHint: "N",
      description: "The version that this replaces; refused when another is there.",
    },
    ...actorFlags,
  },
  details: "Replaces what was said of where the task stands. Every version stays in the log.",
  seeAlso: ["task show", "task done"],
  async run({ args, data: cli }) {
    const base =
      args.base === undefined
        ? undefined
        : integer("--base", args.base, 0, Number.MAX_SAFE_INTEGER);
    const place = await taskPlace(cli, args, args.task);
    const naming = (ref: string) => `task note TEXT --task ${ref}`;
    const task = await taskMeant(place, args.task, naming);
    if (args.task === undefined) await refuseTaskAsText(place, args.text, task, naming);
    const changed = await place.api.call("updateTask", {
      params: { board: place.board, task },
      body: { stands: args.text, ...(base !== undefined && { stands_base: base }) },
    });
    return changedTask(place, changed, "Noted where it stands:");
  },
});
