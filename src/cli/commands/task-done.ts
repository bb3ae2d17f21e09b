import type { Api } from "../api.ts";
import { agentFlags, defineCommand, serverFlag } from "../command.ts";
import { changedTask } from "../tasks/changed.ts";
import { taskMeant, taskPlace } from "../tasks/place.ts";

export default defineCommand({
  acts: "either",
  args: {
    text: { type: "positional", description: "What came of it, in quotes." },
    task: { type: "string", valueHint: "ID", description: "The task (else your current one)." },
    cancelled: { type: "boolean", description: "It is no longer needed." },
    ...agentFlags,
    ...serverFlag,
  },
  details: "For the task's owner, and for people on the board.",
  seeAlso: ["task drop", "task list"],
  async run({ args, data: cli }) {
    const place = await taskPlace(cli, args);
    const { api, board, typed } = place;
    const task = await taskMeant(place, args.task, (ref) => `task done TEXT --task ${ref}`);
    const closed = await api.call("finishTask", {
      params: { board, task },
      body: { note: args.text, cancelled: args.cancelled },
    });
    const next = await oldestOpen(api, board);
    const nudges =
      next && (await reminds(api, board))
        ? [{ code: "next_task", text: `Not picked up: ${typed(`task start ${next.ref}`)}` }]
        : [];
    return changedTask(place, closed, args.cancelled ? "Cancelled" : "Closed", { next, nudges });
  },
});

/** The oldest task that nobody owns. */
async function oldestOpen(api: Api, board: string) {
  const query = { state: "open", limit: 1 } as const;
  const { tasks } = await api.call("listTasks", { params: { board }, query });
  return tasks[0] ? { id: tasks[0].id, ref: tasks[0].ref, title: tasks[0].title } : null;
}

/** Whether the board lets clients add reminders. */
async function reminds(api: Api, board: string): Promise<boolean> {
  return (await api.call("getBoard", { params: { board } })).policy.nudges === "on";
}
