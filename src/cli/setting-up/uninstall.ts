import { localServer } from "../../client/machine/servers.ts";
import { stopDaemon } from "../local-daemon/own-daemon.ts";
import { stopLocalServer } from "../local-server/local-server.ts";
import { columns } from "../terminal/table.ts";
import { shellWord } from "../../contract/shell-word.ts";
import { defineCommand, type Answer } from "../frame/command.ts";
import { confirmed } from "../frame/questions.ts";
import { dataFolders, deleteData, lossText, refuseSharedHome } from "./plan/own-data.ts";
import type { OwnProgram } from "./entries/own-program.ts";
import { planRemoval, type Removal } from "./plan/plan-removal.ts";
import { applyRemoval } from "./plan/remove-files.ts";
import { removeTools } from "./tools.ts";
import { untrust } from "./entries/trust.ts";
import { setupState } from "./entries/setup-state.ts";

export default defineCommand({
  summary: "Take the setup out of your sessions again",
  acts: ({ data }) => (data ? "person" : "neutral"),
  args: {
    data: {
      type: "boolean",
      description: "Also delete this program's own files, boards and keys, for good.",
    },
    dryRun: { type: "boolean", description: "Only show what would be done." },
    yes: { type: "boolean", description: "Do not ask." },
  },
  details:
    "Stops the local server and the delivery daemon, takes the hooks and rules of `init` out of the settings of harnesses, and deletes its skills and extensions. A settings file that nobody changed since is as it was, byte for byte. A file of ours that somebody edited is kept and named. The program itself stays; the command that removes it is shown.",
  examples: [
    ["uninstall --dry-run", "See what would be done."],
    ["uninstall --data", "Delete boards, messages and keys of this machine too."],
  ],
  seeAlso: ["init", "down"],
  async run({ args, data: cli }): Promise<Answer> {
    // Naming the local server may choose its address, and keep that in a folder.
    const server = localServer(cli);
    const dirs = args.data ? dataFolders(cli) : [];
    if (args.data) refuseSharedHome(cli);
    const state = await setupState(cli, []);
    const plan = planRemoval(state);
    const asks = dirs.length > 0 && !args.yes && !args.dryRun;
    if (asks && !confirmed(cli, `This deletes for good: ${lossText(cli)}. Go on?`))
      return { json: { applied: false }, text: "Nothing was changed." };
    const applied = !args.dryRun;
    const wasStopped = applied && (await stopDaemon(cli));
    const serverStopped = applied && (await stopLocalServer(cli));
    const removals = [...plan.removals, ...(await removeTools(cli, applied))];
    const left = applied ? await untrust(cli) : [];
    if (applied) applyRemoval(cli, { ...plan, removals });
    // A hook of an open session may have started the daemon again before it was taken out.
    const daemonStopped = (applied && (await stopDaemon(cli))) || wasStopped;
    if (applied) deleteData(cli, dirs);
    const binary = binaryOf(state.program);
    return {
      json: {
        applied,
        server,
        server_stopped: serverStopped,
        daemon_stopped: daemonStopped,
        files: removals,
        data: { delete: args.data, deleted: applied && dirs.length > 0, dirs },
        binary,
      },
      text: [
        ...(serverStopped ? [`Local server at ${server.url}: stopped.`] : []),
        ...(daemonStopped ? ["Delivery daemon: stopped."] : []),
        ...filesText(removals),
        ...left,
        ...dirs.map((dir) => `${applied ? "Deleted" : "Would delete"} ${dir}.`),
        ...(applied ? [] : ["Nothing is changed yet: this was `--dry-run`."]),
        ...(binary.remove ? [`The program is still there. To remove it: ${binary.remove}`] : []),
      ].join("\n"),
    };
  },
});

function filesText(removals: readonly Removal[]): string[] {
  if (removals.length === 0) return ["The settings of harnesses have nothing of this program."];
  return [
    columns(
      removals.map(({ action, path, kind }) => [
        action,
        path,
        action === "keep" ? "edited since: it stays, delete it yourself" : whatOf[kind],
      ]),
    ),
  ];
}

const whatOf = {
  skill: "the skill",
  hooks: "our hooks",
  permissions: "the rule",
  file: "the extension",
  mcp: "our tools",
} as const;

/** A checkout is a folder of its own, and nothing here removes it. */
const binaryOf = ({ words }: OwnProgram) => ({
  path: words.at(-1)!,
  remove: words.length === 1 ? `rm ${shellWord(words[0]!)}` : null,
});
