import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { ApiError } from "../../../client/errors.ts";
import { LocalError, usageError } from "../../../client/machine/local-error.ts";
import { sameServer } from "../../../client/machine/server-address.ts";
import { asPerson, type Person } from "../../acting/acting.ts";
import type { Cli } from "../../frame/cli.ts";
import { defineCommand, serverFlag, yesFlag } from "../../frame/command.ts";
import { isPassing } from "../../connection/waiting.ts";
import { cleaningUp } from "../../frame/on-signal.ts";
import { watched } from "../../frame/progress.ts";
import { toFill } from "../../files/local-file.ts";
import { confirmed } from "../../frame/questions.ts";
import { commandLine, flagsTo, typedWith, words } from "../../frame/suggest.ts";
import { bold } from "../../terminal/style.ts";
import { receiveArchive } from "./receive-archive.ts";
import type { Head } from "./verify-archive.ts";
import { pairsOf, requirePeople } from "./wishes.ts";

/** A board on its way: who moves it, from where to where. */
interface Move {
  readonly cli: Cli;
  readonly board: string;
  readonly id: string;
  readonly from: Person;
  readonly to: Person;
  /** Its name there, if another than here. */
  readonly name: string | undefined;
  readonly person: readonly string[];
}

export default defineCommand({
  summary: "Move a board to another server",
  acts: "person",
  args: {
    board: { type: "positional", description: "The board's name." },
    to: { type: "string", required: true, valueHint: "URL", description: "The other server." },
    person: {
      type: "string",
      multiple: true,
      valueHint: "@HANDLE=@LOCAL",
      description: "Give @LOCAL of the other server the membership of @HANDLE; may be repeated.",
    },
    name: { type: "string", valueHint: "NAME", description: "Its name there (else its own)." },
    ...yesFlag,
    ...serverFlag,
  },
  details:
    "For owners of the board who may archive it, and who are admins of the other server. The board is archived here, exported, imported there, compared, marked here as moved, and restored there. Here it stays readable and names its new place. If a step fails before the board is marked, it is restored here; after that, the same command goes on. Agents get new seats there by the lines that it prints; the people of this server stay its authors, and others join there by invitations.",
  examples: [
    ["board move docs --to https://board.example.org", "From this machine to a team's server."],
  ],
  seeAlso: ["board export", "board import", "invite"],
  async run({ args, data: cli }) {
    const pairs = pairsOf(args);
    const [from, to] = [await asPerson(cli, args), await asPerson(cli, { server: args.to })];
    if (sameServer(from.server.url, to.server.url))
      throw usageError(
        `The board is at ${to.server.url} already.`,
        "Name another server with `--to`.",
      );
    const before = await from.api.call("getBoard", { params: { board: args.board } });
    const move: Move = {
      cli,
      board: args.board,
      id: before.id,
      from,
      to,
      name: args.name,
      person: args.person,
    };
    const movedTo = before.moved_to?.server;
    if (movedTo !== undefined && movedTo !== to.server.url)
      throw new LocalError(
        "board_moved",
        `Board ${args.board} has moved to ${movedTo}.`,
        "Move it on from there.",
      );
    if (movedTo === undefined) {
      await requireAdmin(to);
      await requirePeople(cli, args.board, pairs, { from, to });
    }
    const question = `Move board ${args.board} from ${from.server.url} to ${to.server.url}? Here it can then only be read, and its agents here end their work.`;
    if (movedTo === undefined && !args.yes && !confirmed(cli, question))
      return { json: { moved: false }, text: "Nothing was changed." };
    if (movedTo === undefined) await carried(move, before.lifecycle === "active");
    return arrived(move);
  },
});

/** Only an admin imports. That is asked before the board is archived, which stops everybody on it. */
async function requireAdmin({ api, server }: Person): Promise<void> {
  const { server_role } = await api.call("getMe");
  if (server_role !== "admin")
    throw new LocalError(
      "server_admin_required",
      `You are no admin of ${server.url}, and only admins import boards.`,
      "Nothing was changed. Ask an admin of that server.",
    );
}

/** Brings the board there and marks it as moved here. A failure is taken back as far as it can be. */
async function carried(move: Move, archives: boolean): Promise<void> {
  const { from, to, board, id } = move;
  const params = { board };
  const done = { archived: archives, there: false };
  let answered = false;
  try {
    await from.api.call("archiveBoard", { params });
    answered = true;
    // From the import on the board may be there, until its server says that it is not.
    const head = await copied(move, () => (done.there = true));
    await requireHead(to, id, head);
    const body = { server: to.server.url, board_id: id, head };
    await from.api.call("moveBoard", { params, body });
  } catch (error) {
    // A refusal to archive it changed nothing. Where the answer was lost, it may be archived.
    if (!answered && error instanceof ApiError && !isPassing(error)) throw error;
    throw await takenBack(move, done, error as Error);
  }
}

/** Exports the board and imports it there. Its archive is gone afterwards, after a signal too. Gives where its log ends. */
function copied(move: Move, onImport: () => void): Promise<Head> {
  const { cli, from, board } = move;
  const folder = mkdtempSync(join(cli.system.temporaryFolder(), "service-move-"));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  return cleaningUp(cli, remove, async () => {
    const target = toFill(folder, "board.tar", undefined);
    const { head } = await receiveArchive(cli, from.api, { board, target, shown: board });
    onImport();
    await imported(move, target.path);
    return head;
  });
}

/** The other server's refusal of the board: it keeps nothing of it. */
class NotThere extends Error {
  readonly refusal: ApiError;
  constructor(refusal: ApiError) {
    super(refusal.message);
    this.refusal = refusal;
  }
}

/** Imports the board there, unless an earlier run did. */
async function imported(move: Move, path: string): Promise<void> {
  const { cli, to, board, name, person } = move;
  const bytes = Bun.file(path);
  const watch = watched(cli, "Sending", board, bytes.size);
  try {
    const query = { ...(name && { name }), ...(person.length > 0 && { person: [...person] }) };
    await to.api.importBoard({ query }, bytes, watch);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    // An earlier run brought it there, and its answer was lost, or what came after it failed.
    // It may be this one that is imported: the answer to a first try was lost, and the second one finds it running.
    if (error.code === "import_running") throw new Error(error.message, { cause: error });
    if (error.code !== "board_exists") throw new NotThere(error);
  } finally {
    watch.end();
  }
}

/** Refuses a board there whose log has another event where the log here ends. */
async function requireHead(to: Person, id: string, head: Head): Promise<void> {
  const params = { board: (await boardThere(to, id)).name };
  const query = { after: head.seq - 1, limit: 1 };
  const { events } = await to.api.call("listEvents", { params, query });
  if (events[0]?.hash === head.hash) return;
  throw new LocalError(
    "board_head_changed",
    `Board ${params.board} at ${to.server.url} is not the one that was exported.`,
    "Delete it there. That server takes this board no more: move it to another one.",
  );
}

/** The board on the other server, whatever its name there is. */
async function boardThere(to: Person, id: string) {
  for (let after: string | undefined; ;) {
    const query = { form: "short", lifecycle: "all", ...(after && { after }) } as const;
    const { boards, next } = await to.api.call("listBoards", { query });
    const found = boards.find((one) => one.id === id);
    if (found) return found;
    if (!next)
      throw new LocalError(
        "board_not_found",
        `${to.server.url} does not show you the board ${id}.`,
        "It was deleted there, or you are not on it. Move it to another server.",
      );
    after = next;
  }
}

/**
 * After a failure: restores the board here if this run archived it. If something happened on it since its export, what was
 * imported is deleted too. Where nobody knows whether the last step was done, and where it may succeed the next time,
 * nothing is taken back.
 */
async function takenBack(
  { cli, from, to, board, id, name, person }: Move,
  { archived, there }: { readonly archived: boolean; readonly there: boolean },
  error: Error,
): Promise<Error> {
  const here = flagsTo(cli, from.server);
  const same = { to: to.server.url, name, person, yes: true, ...here };
  const again = `Run the same command again: \`${cli.typed(commandLine({ words: words`board move ${board}`, flags: same }))}\`.`;
  const restore = typedWith(cli, { board, ...here })("board restore");
  const isHere = !there || error instanceof NotThere || codeOf(error) === "board_head_changed";
  if (!isHere)
    return new LocalError(
      "uncertain",
      `Board ${board} is archived here, may be at ${to.server.url}, and may have moved: ${error.message}`,
      again,
    );
  try {
    if (error instanceof ApiError && there)
      await to.api.call("deleteBoard", { params: { board: id } });
    if (archived) await from.api.call("restoreBoard", { params: { board } });
    cli.note(
      archived
        ? `Nothing was moved: board ${board} works here again.`
        : `Nothing was moved: board ${board} stays archived here, as it was. To use it here: ${restore}`,
    );
    return error instanceof NotThere ? error.refusal : error;
  } catch (second) {
    return new LocalError(
      "uncertain",
      `${error.message} Board ${board} may be archived here: ${(second as Error).message}`,
      `${again} To keep it here: \`${restore}\`.`,
    );
  }
}

const codeOf = (error: Error): string | undefined => (error as { code?: string }).code;

/** Restores the board there, and makes a line for each of the person's agents. */
async function arrived({ cli, from, to, board, id, name }: Move) {
  await to.api.call("restoreBoard", { params: { board: id } });
  const there = await boardThere(to, id);
  const { agents } = await from.api.call("listOwnAgents");
  const own = agents.filter((agent) => agent.board === board && agent.status === "active");
  const lines = [];
  for (const { name: agent, role } of own) {
    const code = await to.api.call("createJoinCode", {
      params: { board: there.name },
      body: { role: role ?? "member" },
    });
    lines.push({ agent, role, join_line: code.join_line });
  }
  const typed = typedWith(cli, { board: there.name, ...flagsTo(cli, to.server) });
  return {
    json: { moved: true, from: from.server, to: to.server, board: there, seats: lines, name },
    text: [
      `Board ${bold(board)} has moved to ${to.server.url}, as ${bold(there.name)}. Here it can be read.`,
      ...lines.map(
        ({ agent, join_line }) =>
          `A seat for ${agent}: ${cli.typed(words`join ${join_line} --name ${agent}`)}`,
      ),
      `For somebody else: ${typed("invite --person")}`,
    ].join("\n"),
  };
}
