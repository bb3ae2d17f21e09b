import type { OutputOf } from "../../contract/index.ts";
import { clean, oneLine } from "../terminal/clean.ts";
import type { Group } from "../acting/every-server.ts";
import { columns, counted } from "../terminal/table.ts";
import { when } from "../terminal/time-text.ts";

type Pairing = OutputOf<"getPairingRequest">;

const boardOf = ({ display, board_id }: Pairing) => display?.boards[0]?.name ?? board_id;

/** Who asks the reader, or whom the reader asks. */
function withWhom({ inviter_id, recipient_id, display }: Pairing, reader: string): string {
  if (recipient_id === undefined) return "to a newcomer";
  if (inviter_id === recipient_id) return "own";
  const other = display?.person_handle;
  if (other === undefined) return "";
  return inviter_id === reader ? `to @${other}` : `from @${other}`;
}

/** The pairing requests that one server listed, and the id of the person who reads them. */
export interface Pairings {
  readonly requests: readonly Pairing[];
  readonly reader: string;
}

/** One server's pairing requests as text. `typed` writes a command with the flags that lead to that server or agent. */
export function pairingsText(
  typed: (command: string) => string,
  { server, requests, reader, error }: Group<Pairings>,
  board: string | undefined,
): string {
  if (error) return `${server.url}: ${error.message}`;
  const where = `${board === undefined ? "" : `on ${board} `}at ${server.url}`;
  if (requests.length === 0)
    return `No pairing requests ${where}. ${typed("pairing request @handle WORK")} makes one.`;
  return [
    `${counted(requests.length, "pairing request", "pairing requests")} ${where}:`,
    pairingRows(requests, reader),
    `One of them: ${typed("pairing show ID")}`,
  ].join("\n");
}

const pairingRows = (requests: readonly Pairing[], reader: string): string =>
  columns(
    requests.map((each) => [
      each.id,
      stateText(each),
      boardOf(each),
      withWhom(each, reader),
      short(oneLine(each.work)),
    ]),
  );

const longest = 60;
const short = (text: string) =>
  [...text].length > longest ? `${[...text].slice(0, longest - 1).join("")}…` : text;

const stateText = ({ state }: Pairing) => state.replaceAll("_", " ");

/** A pairing request with what it waits for. `typed` writes a command as it can be typed here; null for a command that the reader may not run. */
export function pairingText(
  pairing: Pairing,
  reader: string,
  typed: (command: string) => string | null,
): string {
  const { id, display, expires_at, generation, awaiting, next, work } = pairing;
  const agent = display?.agent_name;
  const command = next && typed(next.command.replace(/^service /, ""));
  return [
    `${id} · ${stateText(pairing)}`,
    `  ${[boardOf(pairing), withWhom(pairing, reader), agent && `agent ${agent}`, `generation ${generation}`].filter(Boolean).join(" · ")}`,
    ...(awaiting ? [`  waits for ${awaitedText[awaiting]} until ${when(expires_at)}`] : []),
    "  proposes:",
    ...clean(work)
      .split("\n")
      .map((line) => `    ${line}`),
    ...(next ? [`  ${next.resume}`] : []),
    ...(command ? [`  ${command}`] : []),
  ].join("\n");
}

const awaitedText = {
  initiator: "the inviter's side",
  recipient: "the recipient's side",
  both: "both sides",
} as const;
