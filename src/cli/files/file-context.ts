import {
  asAgentOrPerson,
  boardOf,
  type Actor,
  type AgentFlags,
  type PersonFlags,
} from "../acting/acting.ts";
import type { Owner } from "../../client/machine/remembered-files.ts";
import type { Api } from "../connection/api.ts";
import type { Cli } from "../frame/cli.ts";
import { requireFeature } from "../connection/features.ts";
import { placeOfTask } from "../acting/place-of-task.ts";
import { hintedWith, typedWith, type Typed } from "../frame/suggest.ts";

/** The board whose files a command works on, and who it acts as. */
export interface FileContext {
  readonly cli: Cli;
  readonly actor: Actor;
  readonly api: Api;
  readonly board: string;
  /** A command as it can be typed again here. */
  readonly typed: Typed;
  /** A command as a hint writes it, in backticks. */
  readonly hinted: Typed;
}

type Flags = AgentFlags & PersonFlags;

/** The files on the board of the selected agent, else of the person. With several boards, a named task decides. */
export async function fileContext(cli: Cli, flags: Flags, task?: string): Promise<FileContext> {
  const found = task === undefined ? null : await placeOfTask(cli, flags, task);
  const actor = found?.actor ?? (await asAgentOrPerson(cli, flags));
  return filesOf(cli, actor, found ? { ...flags, board: found.board } : flags);
}

/** The files on the board of a known actor. Refuses a server without files. */
export async function filesOf(cli: Cli, actor: Actor, flags: Flags): Promise<FileContext> {
  await requireFeature(actor, "files");
  const board = await boardOf(cli, actor, flags);
  return {
    cli,
    actor,
    api: actor.api,
    board,
    typed: typedWith(cli, flags),
    hinted: hintedWith(flags),
  };
}

/** Whose remembered versions a command uses. */
export async function ownerAt({ actor, api, board }: FileContext): Promise<Owner> {
  const who = actor.kind === "agent" ? actor.seat.member_id : (await api.call("getMe")).id;
  return { who, server: actor.server.name, board };
}
