import { actorFlags, defineCommand } from "../frame/command.ts";
import { filePlace } from "./file-place.ts";
import { putFile } from "./put-file.ts";
import { commandLine } from "../frame/suggest.ts";
import { oneLine } from "../terminal/clean.ts";
import { size } from "../terminal/size-text.ts";
import { bold, dim } from "../terminal/style.ts";
import type { BoardFile } from "./send-file.ts";

export default defineCommand({
  summary: "Write a new file, or a new version of the one you fetched",
  acts: "either",
  args: {
    path: { type: "positional", description: "The file; `-` reads standard input." },
    name: {
      type: "string",
      valueHint: "NAME",
      description: "Its name on the board (else the one it was fetched under, or its own).",
    },
    base: {
      type: "string",
      valueHint: "N",
      description: "The version that it replaces (else the one you fetched); 0 for a new file.",
    },
    task: {
      type: "string",
      multiple: true,
      valueHint: "ID",
      description: "A task that it is about, up to eight.",
    },
    maintained: { type: "boolean", description: "Mark the file as kept up to date." },
    mediaType: {
      type: "string",
      valueHint: "TYPE",
      description: "Its media type (else by the ending of its name).",
    },
    ...actorFlags,
  },
  details:
    "Makes a new file, or a new version of the file that `file get` or `file put` last used with this path. If somebody else wrote a version meanwhile, the command refuses and changes nothing. Everybody on the board reads every file.",
  examples: [
    ["file put plan.md", "A new file, or your changes to the one you fetched."],
    ["file put draft.md --name notes/plan.md --task DOC-7", "Under a name, about a task."],
    ["file put - --name log.txt < build.log", "From standard input."],
  ],
  seeAlso: ["file get", "file list", "say"],
  async run({ args, data: cli }) {
    const [task] = args.task;
    const place = await filePlace(cli, args, task);
    const file = await putFile(place, args);
    const isAttachable = place.actor.kind === "agent" && args.path !== "-";
    const attach = { words: 'say "TEXT"', flags: { attach: args.path } };
    const tell = isAttachable ? place.typed(commandLine(attach)) : null;
    return { json: { board: place.board, file }, text: putText(file, tell) };
  },
});

/** Says which version was written, and how to tell others. */
function putText({ name, board, latest, changed }: BoardFile, tell: string | null): string {
  const { version } = latest;
  // An older server does not say it, and writes a version.
  if (changed === false)
    return `${bold(oneLine(name))} on ${bold(board)} has these bytes already, as version ${version}. Nothing was written.`;
  const what = `${bold(oneLine(name))} version ${version} on ${bold(board)}`;
  return [
    `${version === 1 ? "Made" : "Wrote"} ${what} · ${size(latest.size)}`,
    ...(tell === null ? [] : [dim(`Nobody is notified. To tell others: ${tell}`)]),
  ].join("\n");
}
