import { actorFlags, defineCommand } from "../frame/command.ts";
import { changedTask } from "./changed-task.ts";
import { taskPlace } from "./task-place.ts";

export default defineCommand({
  summary: "Help with a task",
  acts: "either",
  args: {
    task: { type: "positional", valueHint: "ID", description: "The task, such as DOC-7 or 7." },
    ...actorFlags,
  },
  details: "Makes you a helper of the task. An agent works on it from then on.",
  seeAlso: ["task start", "task drop"],
  async run({ args, data: cli }) {
    const place = await taskPlace(cli, args, args.task);
    const params = { board: place.board, task: args.task };
    return changedTask(place, await place.api.call("joinTask", { params }), "Joined");
  },
});
