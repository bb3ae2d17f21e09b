import type { Group } from "../acting/every-server.ts";
import {
  boardsOf,
  type HandedOut,
  type HandedOutCode,
  type HandedOutScope,
  type Invitation,
} from "./handed-out.ts";
import { bold } from "../terminal/style.ts";
import { columns, counted } from "../terminal/table.ts";
import { commandLine, type Typed } from "../frame/suggest.ts";
import { when } from "../terminal/time-text.ts";

/** One server's invitations and join codes as text. `typed` writes a command with the flags that lead to that server. */
export function handedOutText(
  typed: Typed,
  { server, invites, join_codes: codes, error }: Group<HandedOut>,
  { all, board }: HandedOutScope,
): string {
  const { url } = server;
  if (error) return `${url}: ${error.message}`;
  if (invites.length + codes.length === 0) return emptyText(typed, url, { all, board });
  return [
    ...(invites.length ? [`Invitations to ${url}:`, columns(invites.map(invitationRow))] : []),
    ...(codes.length ? [`Join codes at ${url}:`, columns(codes.map(codeRow))] : []),
    `Revoke one: ${typed("invite revoke ID")}`,
  ].join("\n");
}

function emptyText(typed: Typed, url: string, { all, board }: HandedOutScope): string {
  const on = board === undefined ? "" : ` for board ${board}`;
  const make = typed(commandLine({ words: "invite", flags: { board } }));
  if (all) return `No invitations or join codes${on} at ${url}. Make one: ${make}`;
  const earlier = typed(commandLine({ words: "invite list --all", flags: { board } }));
  return `No invitation or join code${on} at ${url} works now. Make one: ${make}. The earlier ones: ${earlier}`;
}

function invitationRow(invitation: Invitation): string[] {
  const boards = boardsOf(invitation);
  return [
    bold(invitation.id),
    boards.length ? `for one person, onto ${boards.join(", ")}` : "for one person",
    endText(invitation),
  ];
}

const codeRow = (code: HandedOutCode): string[] => [
  bold(code.id),
  `board ${code.board}`,
  `as ${code.role}`,
  `for ${forWhom(code)}`,
  `by ${code.created_by.name}`,
  code.uses === 0 ? "unused" : `used ${counted(code.uses, "time", "times")}`,
  endText(code),
];

/** A guest code names its guest. Any other code is for agents of the person whose it is. */
const forWhom = ({ guest, created_by }: HandedOutCode): string =>
  guest === null ? `agents of @${created_by.owner ?? created_by.name}` : `the guest @${guest}`;

const endText = ({ state, expires_at }: Pick<Invitation, "state" | "expires_at">): string =>
  state === "active" ? `until ${when(expires_at)}` : state;
