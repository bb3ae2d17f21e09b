import { asPerson } from "../acting/acting.ts";
import { boardFlags, defineCommand } from "../frame/command.ts";
import { oneLine } from "../terminal/clean.ts";
import { usageError } from "../../client/machine/local-error.ts";
import { versionOf } from "./version-flag.ts";
import { placeFor } from "../acting/place-of.ts";
import { bold } from "../terminal/style.ts";

export default defineCommand({
  summary: "Approve a version of a file, as a person",
  acts: "person",
  args: {
    name: { type: "positional", description: "The file's name." },
    version: { type: "string", valueHint: "N", description: "This version (else the newest)." },
    remove: { type: "boolean", description: "Take your approval back." },
    ...boardFlags,
  },
  details:
    "You approve one version of a file at a time; later ones do not inherit it. An agent asks you with `ask --file`.",
  examples: [["file approve plan.md --version 3", "The version that you have read."]],
  seeAlso: ["file show", "ask"],
  async run({ args, data: cli }) {
    const { name, version, remove } = args;
    if (remove && version !== undefined)
      throw usageError(
        "You have one approval of a file, so `--remove` needs no version.",
        "Leave out `--version`.",
      );
    const chosen = version === undefined ? null : versionOf("--version", version);
    const person = await asPerson(cli, args);
    const { api, board, actor } = await placeFor(cli, person, args, { needs: ["files"] });
    const params = { board, file: name };
    const at = `on ${bold(board)} at ${actor.server.url}`;
    if (remove) {
      const file = await api.call("removeFileApproval", { params });
      return { json: { board, file }, text: `You approve no version of ${shown(file)} ${at}` };
    }
    const approved = chosen ?? (await api.call("getFile", { params })).latest.version;
    const file = await api.call("approveFile", { params, body: { version: approved } });
    return { json: { board, file }, text: `You approve ${shown(file)} version ${approved} ${at}` };
  },
});

const shown = ({ name }: { readonly name: string }) => bold(oneLine(name));
