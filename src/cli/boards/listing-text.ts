import type { ListedBoard, BoardScope, HiddenBoard } from "./listing.ts";
import { guestsWay } from "../acting/board-not-selected.ts";
import { oneLine } from "../terminal/clean.ts";
import type { Group } from "../acting/every-server.ts";
import type { ServerRef } from "../../client/machine/servers.ts";
import { bold } from "../terminal/style.ts";
import { columns, counted } from "../terminal/table.ts";
import { when } from "../terminal/time-text.ts";

/** The boards that one server listed. */
export interface Boards {
  /** The person's handle there. */
  readonly person?: string;
  /** There when the person is a guest, who makes no boards. */
  readonly guest?: true;
  readonly boards: readonly ListedBoard[];
  readonly hidden_boards: readonly HiddenBoard[];
  /** How many of the caller's boards are archived, whichever are listed. */
  readonly archived_count?: number;
}
type BoardGroup = Group<Boards>;

/** One server's boards as text. `typed` writes a command with the flags that chose agent and server. */
export function boardsText(
  typed: (command: string) => string,
  group: BoardGroup,
  scope: BoardScope,
): string {
  const { server, boards, hidden_boards: hidden, archived_count = 0, error } = group;
  if (error) return `${server.url}: ${error.message}`;
  const archived = scope.lifecycle === "archived";
  const isEmpty = boards.length + hidden.length === 0;
  return [
    ...(isEmpty ? [emptyText(typed, group, scope)] : []),
    ...(boards.length
      ? [`${archived ? "Archived boards" : "Boards"} at ${server.url}:\n${table(boards)}`]
      : []),
    ...(hidden.length ? [hiddenText(typed, hidden, server, archived)] : []),
    ...(archived || archived_count === 0
      ? []
      : [`${archived_count} archived: ${typed(`boards --archived${scope.all ? " --all" : ""}`)}`]),
  ].join("\n");
}

function emptyText(
  typed: (command: string) => string,
  { server, guest, archived_count = 0 }: BoardGroup,
  { all, lifecycle }: BoardScope,
): string {
  if (lifecycle === "archived") return `No archived boards at ${server.url}.`;
  if (archived_count) return `No active boards at ${server.url}.`;
  if (guest) return `You are on no board at ${server.url}. ${guestsWay(typed("join CODE"))}`;
  return `${all ? "No boards" : "You are on no board"} at ${server.url}. Make one: ${typed("pair")}`;
}

const table = (boards: readonly ListedBoard[]): string =>
  columns(
    boards.map((board) => [
      bold(board.name),
      standing(board),
      board.unread ? `${board.unread} unread` : "",
      counted(board.people, "person", "people"),
      board.agents === null ? "" : counted(board.agents, "agent", "agents"),
      board.visibility === "private" ? "private" : "",
      oneLine(board.title ?? ""),
      ...(board.moved_to ? [`moved to ${oneLine(board.moved_to.server)}`] : []),
    ]),
  );

const standing = ({ on_board, role, seat }: ListedBoard): string => {
  if (seat) return `as ${seat}`;
  if (!on_board) return "not on it";
  return seat === null ? "" : (role ?? "agent");
};

/** Boards without a name to show: what a server admin can do with one needs its id. */
function hiddenText(
  typed: (command: string) => string,
  hidden: readonly HiddenBoard[],
  { url }: ServerRef,
  archived: boolean,
): string {
  const rows = hidden.map(({ id, created_by, created_at, people }) => [
    bold(id),
    `by @${created_by.handle}`,
    `since ${when(created_at)}`,
    counted(people, "person", "people"),
  ]);
  const action = archived ? "Restore" : "Archive";
  const command = typed(`board ${action.toLowerCase()} --board ID`);
  return [
    `${archived ? "Archived private" : "Private"} boards at ${url} that you are not on:`,
    columns(rows),
    `${action} one: ${command}`,
  ].join("\n");
}
