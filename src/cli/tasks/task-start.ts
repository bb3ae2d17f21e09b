import { defineCommand } from "../frame/command.ts";
import { firstTask } from "./task-nudges.ts";
import { actorFlags } from "../frame/command.ts";
import { changedTask } from "./changed-task.ts";
import { taskPlace } from "./task-place.ts";

export default defineCommand({
  summary: "Take a task as its owner",
  acts: "either",
  args: {
    task: { type: "positional", valueHint: "ID", description: "The task, such as DOC-7 or 7." },
    ...actorFlags,
  },
  details:
    "Makes you its owner. To whoever comes second it is taken. An agent works on it from then on, and its line says so.",
  seeAlso: ["task join", "task note", "task done"],
  async run({ args, data: cli }) {
    const place = await taskPlace(cli, args, args.task);
    const params = { board: place.board, task: args.task };
    const started = await place.api.call("startTask", { params });
    const reminders = firstTask(place, started);
    return changedTask(place, started, "Started", { reminders, showsLine: true });
  },
});
