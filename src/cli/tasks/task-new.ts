import { defineCommand } from "../frame/command.ts";
import { firstTask } from "./task-nudges.ts";
import { actorFlags } from "../frame/command.ts";
import { changedTask } from "./changed-task.ts";
import { taskPlace } from "./task-place.ts";

export default defineCommand({
  summary: "Open a task",
  acts: "either",
  args: {
    title: { type: "positional", quoted: true, description: "What is to be done, in quotes." },
    about: { type: "string", valueHint: "TEXT", description: "What it is and why." },
    noStart: { type: "boolean", description: "Leave it for whoever picks it up." },
    ...actorFlags,
  },
  details:
    "An agent takes the task at once, unless `--no-start` says otherwise; a person does not.",
  examples: [['task new "Write the guide" --no-start', "For whoever picks it up."]],
  seeAlso: ["task list", "task start"],
  async run({ args, data: cli }) {
    const place = await taskPlace(cli, args);
    const start = place.actor.kind === "agent" && !args.noStart;
    const task = await place.api.call("createTask", {
      params: { board: place.board },
      body: { title: args.title, start, ...(args.about !== undefined && { about: args.about }) },
    });
    if (!start) return changedTask(place, task, "Opened");
    const reminders = firstTask(place, task);
    return changedTask(place, task, "Opened and started", { reminders, showsLine: true });
  },
});
