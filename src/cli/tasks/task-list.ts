import { listedUnlessSaid, mostListed } from "../../contract/limits.ts";
import { actorFlags, defineCommand } from "../frame/command.ts";
import { usageError } from "../../client/machine/local-error.ts";
import { taskListText } from "./task-text.ts";
import { taskPlace } from "./task-place.ts";
import { integer } from "../frame/values.ts";

export default defineCommand({
  summary: "List a board's tasks",
  acts: "either",
  args: {
    done: { type: "boolean", description: "Those that are done instead." },
    all: { type: "boolean", description: "The closed ones, too." },
    mine: { type: "boolean", description: "Only those that you own or help on." },
    newest: { type: "boolean", description: "The newest ones, where a list holds not all." },
    before: {
      type: "string",
      valueHint: "NUMBER",
      description: "The newest ones with a smaller number than this.",
    },
    limit: {
      type: "string",
      valueHint: "N",
      description: `At most N (1 to ${mostListed}, else ${listedUnlessSaid}).`,
    },
    ...actorFlags,
  },
  details: "Those that nobody owns come first, then those in progress, each oldest first.",
  seeAlso: ["task show", "task new", "task start"],
  async run({ args, data: cli }) {
    if (args.done && args.all)
      throw usageError("`--done` and `--all` exclude each other.", "Leave one of them out.");
    const limit = integer("--limit", args.limit ?? `${listedUnlessSaid}`, 1, mostListed);
    const before =
      args.before === undefined
        ? undefined
        : integer("--before", args.before, 1, Number.MAX_SAFE_INTEGER);
    const newest = args.newest || before !== undefined;
    const { api, board, typed } = await taskPlace(cli, args);
    const state = args.all ? "all" : args.done ? "done" : "active";
    const list = await api.call("listTasks", {
      params: { board },
      query: {
        state,
        mine: args.mine,
        limit,
        ...(newest && { newest }),
        ...(before && { before }),
      },
    });
    const flags = `${args.all ? " --all" : args.done ? " --done" : ""}${args.mine ? " --mine" : ""}`;
    const smallest = Math.min(...list.tasks.map(({ number }) => number));
    const rest = newest
      ? typed(`task list${flags} --before ${smallest} --limit ${limit}`)
      : limit < mostListed
        ? typed(`task list${flags} --limit ${mostListed}`)
        : typed(`task list${flags} --newest --limit ${mostListed}`);
    const none = Object.values(list.counts).every((count) => count === 0);
    const onlyCancelled =
      args.done && !args.mine && list.tasks.length === 0 && list.counts.cancelled > 0
        ? [`None is done. The cancelled ones: ${typed("task list --all")}`]
        : [];
    const text = none
      ? `${board} has no tasks yet. The first: ${typed("task new TITLE")}`
      : [taskListText(list, rest), ...onlyCancelled].join("\n");
    return { json: list, text };
  },
});
