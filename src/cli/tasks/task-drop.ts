import { actorFlags, defineCommand } from "../frame/command.ts";
import { changedTask } from "./changed-task.ts";
import { taskMeant, taskPlace } from "./task-place.ts";

export default defineCommand({
  summary: "Give your part of a task up",
  acts: "either",
  args: {
    task: {
      type: "positional",
      required: false,
      valueHint: "ID",
      description: "The task (else your current one).",
    },
    reason: { type: "string", valueHint: "TEXT", description: "Why." },
    ...actorFlags,
  },
  details: "A task that its owner drops can be picked up again; a helper stops helping.",
  seeAlso: ["task done", "task list"],
  async run({ args, data: cli }) {
    const place = await taskPlace(cli, args, args.task);
    const task = await taskMeant(place, args.task, (ref) => `task drop ${ref}`);
    const dropped = await place.api.call("dropTask", {
      params: { board: place.board, task },
      body: { ...(args.reason !== undefined && { reason: args.reason }) },
    });
    return changedTask(place, dropped, "Dropped");
  },
});
