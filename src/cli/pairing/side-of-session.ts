import { LocalError } from "../../client/machine/local-error.ts";
import { askForSession, serverForSession, sessionForSeat } from "../acting/in-session.ts";
import type { Cli } from "../frame/cli.ts";
import { serverFlag, type Answer, type Args } from "../frame/command.ts";
import { hintedWith, words } from "../frame/suggest.ts";
import { pairingText } from "./pairing-text.ts";

/** The flags of the commands that tie a session to a pairing request. */
export const sessionFlags = {
  here: { type: "boolean", description: "Use this session, as the command always does." },
  replace: { type: "boolean", description: "Replace the session that is selected." },
  ...serverFlag,
} as const satisfies Args;

interface Chosen {
  readonly id?: string | undefined;
  readonly replace: boolean;
  readonly server?: string | undefined;
}

/** Makes this session a side of a pairing request: the inviter's with `select`, the recipient's with `accept`. */
export async function takeSide(
  cli: Cli,
  action: "select" | "accept",
  { id, replace, server: named }: Chosen,
): Promise<Answer> {
  const session = sessionForSeat(cli, "agent_session_required");
  if (session === null) throw notHere(action, id, named);
  const server = await serverForSession(cli, named);
  const answer = await askForSession(cli, session, {
    op: "pairing",
    server: server.name,
    pairing_action: action,
    ...(id !== undefined && { pairing_id: id }),
    ...(replace && { replace }),
  });
  const request = answer.pairing!;
  const { inviter_id, recipient_id = "" } = request;
  const typed = (command: string) => (isOfSessions(command) ? cli.typed(command) : null);
  return {
    json: { server, board: answer.pairing_board ?? null, request },
    text: pairingText(request, action === "select" ? inviter_id : recipient_id, typed),
  };
}

/** Whether a session runs a command about a pairing request. Every other one is its person's to run. */
export const isOfSessions = (command: string): boolean => /^pairing (accept|select) /.test(command);

const ends = { accept: ["decline", "declines it"], select: ["cancel", "takes it back"] } as const;

/** The refusal in a terminal, with what its person can do there. */
function notHere(
  action: "select" | "accept",
  id: string | undefined,
  server: string | undefined,
): LocalError {
  const [end, does] = ends[action];
  const typed = hintedWith({ server });
  return new LocalError(
    "agent_session_required",
    "Only a session of an agent can be a side of a pairing request, and this terminal is none.",
    id === undefined
      ? `The agent runs it in its session. Here ${typed("pairing list")} lists the requests.`
      : `The agent runs it in its session. Here ${typed(words`pairing ${end} ${id}`)} ${does}.`,
  );
}
