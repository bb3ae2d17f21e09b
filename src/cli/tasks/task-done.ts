import { defineCommand } from "../frame/command.ts";
import { nextTask, oldestOpen } from "./task-nudges.ts";
import { actorFlags } from "../frame/command.ts";
import { changedTask } from "./changed-task.ts";
import { refuseTaskAsText, taskMeant, taskPlace } from "./task-place.ts";

export default defineCommand({
  summary: "Close a task, done or cancelled",
  acts: "either",
  args: {
    text: { type: "positional", quoted: true, description: "What came of it, in quotes." },
    task: { type: "string", valueHint: "ID", description: "The task (else your current one)." },
    cancelled: { type: "boolean", description: "It is no longer needed." },
    ...actorFlags,
  },
  details: "For the task's owner, and for people on the board.",
  seeAlso: ["task drop", "task list"],
  async run({ args, data: cli }) {
    const place = await taskPlace(cli, args, args.task);
    const { api, board } = place;
    const naming = (ref: string) => `task done TEXT --task ${ref}`;
    const task = await taskMeant(place, args.task, naming);
    if (args.task === undefined) await refuseTaskAsText(place, args.text, task, naming);
    const closed = await api.call("finishTask", {
      params: { board, task },
      body: { note: args.text, cancelled: args.cancelled },
    });
    const next = await oldestOpen(place);
    const reminders = next ? [nextTask(place, next)] : [];
    return changedTask(place, closed, args.cancelled ? "Cancelled" : "Closed", { next, reminders });
  },
});
