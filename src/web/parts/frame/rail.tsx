import { AgentState } from "../agent-state.tsx";
import { Icon } from "../icon.tsx";
import { modKey } from "./mod-key.ts";
import { Mark, Name, visible } from "../who.tsx";
import type { Member } from "../../core/boards/board.ts";
import { blockedOnMe } from "../../core/attention/at-work.ts";
import { dialog } from "../../core/screen/dialogs.ts";
import { connection } from "../../core/connection/live.ts";
import { needCount, needsOfBoard } from "../../core/attention/needs.ts";
import {
  activeBoards,
  archivedBoards,
  boards,
  boardsToJoin,
  me,
  ownAgents,
  serverName,
  type ListedBoard,
} from "../../core/boards/overview.ts";
import { openPalette } from "../../core/screen/palette.ts";
import { addressOf, place } from "../../core/screen/router.ts";
import { isGuest, session } from "../../core/connection/session.ts";
import { timeOf } from "../../core/screen/time.ts";

/** The letters that stand for a board in a narrow rail: the first of each word, or the first two. A number stays. */
function initials(name: string): string {
  const words = name.split("-");
  const letters = words.map((word) => (/^\d/.test(word) ? word : word.slice(0, 1))).join("");
  return (words.length > 1 ? letters : name).slice(0, words.length > 1 ? 3 : 2);
}

/** The boards and the person's own agents, beside every place. */
export function Rail() {
  const here = place.value;
  const count = needCount.value;
  const toJoin = boardsToJoin.value.length;
  const archived = archivedBoards.value.length;
  return (
    <nav class="rail" aria-label="Boards" data-f6>
      <div class="rail-top">
        <div class="brand">
          <Icon name="brand" />
          <span class="clip1">{serverName}</span>
          <Live />
        </div>
        <button class="find" type="button" aria-haspopup="dialog" onClick={() => openPalette()}>
          <Icon name="search" />
          <span>Jump or search</span>
          <kbd>{modKey}K</kbd>
        </button>
      </div>
      <div class="rail-list">
        <a
          class={count > 0 ? "nav needs" : "nav"}
          href="/"
          {...(here.name === "home" && { "aria-current": "page" })}
        >
          <Icon name="needs" />
          <span class="clip1">Needs you</span>
          {count > 0 && <span class="n you">{count}</span>}
        </a>
        <hr />
        <h2>
          Boards
          {!isGuest.value && (
            <button
              class="ib"
              type="button"
              aria-label="Make a board"
              onClick={() => (dialog.value = "new-board")}
            >
              <Icon name="plus" small />
            </button>
          )}
        </h2>
        <ul class="boards">
          {activeBoards.value.map((board) => (
            <BoardLink
              key={board.id}
              board={board}
              isHere={here.name === "board" && here.board === board.name}
            />
          ))}
        </ul>
        {toJoin > 0 && (
          <More href="/?show=open" letters={`+${toJoin}`} words="Open to join" count={toJoin} />
        )}
        {archived > 0 && (
          <More href="/?show=archived" letters="…" words="Archived" count={archived} />
        )}
        <hr />
        <h2>Your agents</h2>
        <OwnAgents />
      </div>
      <div class="rail-me">
        <MyAccount>
          <span class="nm">
            {visible(session.value?.person.display_name ?? me.value)}
            <span class="vh">, your account</span>
          </span>
        </MyAccount>
        <button
          class="ib"
          type="button"
          aria-label="Keyboard shortcuts (?)"
          onClick={() => (dialog.value = "keys")}
        >
          <span aria-hidden="true">?</span>
        </button>
      </div>
    </nav>
  );
}

function Live() {
  const { value } = connection;
  const words =
    value.state === "lost"
      ? `not connected since ${timeOf(value.since.toISOString())}`
      : value.state === "live"
        ? "live"
        : "connecting";
  return (
    <span class={`live st bare ${value.state === "live" ? "working" : "disconnected"}`}>
      <span class="vh">{words}</span>
    </span>
  );
}

/** The person's mark, which leads to their account. */
export const MyAccount = ({
  class: look,
  children,
}: {
  class?: string;
  children?: preact.ComponentChildren;
}) => (
  <a
    href="/account"
    {...(look && { class: look })}
    {...(!children && { "aria-label": "Your account" })}
    {...(place.value.name === "account" && { "aria-current": "page" })}
  >
    <Mark of={{ name: me.value, kind: "human" }} small />
    {children}
  </a>
);

function BoardLink({ board, isHere }: { board: ListedBoard; isHere: boolean }) {
  const forMe = needsOfBoard.value.get(board.name) ?? 0;
  const unread = board.unread ?? 0;
  return (
    <li>
      <a
        class={unread > 0 ? "nav new" : "nav"}
        href={addressOf(board.name)}
        {...(isHere && { "aria-current": "page" })}
      >
        <Icon name={board.visibility === "private" ? "lock" : "board"} />
        <span class="ini" aria-hidden="true">
          {initials(board.name)}
        </span>
        <span class="clip1">{board.name}</span>
        {forMe > 0 && (
          <span class="n you">
            {forMe}
            <span class="vh"> for you</span>
          </span>
        )}
        {unread > 0 && (
          <span class="n">
            {unread}
            <span class="vh"> new</span>
          </span>
        )}
      </a>
    </li>
  );
}

/** A link to boards that home shows folded. */
const More = ({
  href,
  letters,
  words,
  count,
}: {
  href: string;
  letters: string;
  words: string;
  count: number;
}) => (
  <a class="nav" href={href}>
    <Icon name="right" small />
    <span class="ini" aria-hidden="true">
      {letters}
    </span>
    <span class="clip1">{words}</span>
    <span class="n">{count}</span>
  </a>
);

function OwnAgents() {
  const agents = ownAgents.value.filter(({ status }) => status === "active");
  if (agents.length === 0)
    return boards.value === null ? null : (
      <p class="hint pad">None yet. Paste a join line into a session of Claude Code or Codex.</p>
    );
  return (
    <ul class="agents">
      {agents.map((agent) => (
        <li key={agent.id}>
          <a class="mine" href={addressOf(agent.board, "people")}>
            <Mark of={agent} small />
            <Name of={agent} />
            <AgentState agent={agent} />
            <span class="clip1">{doing(agent)}</span>
          </a>
        </li>
      ))}
    </ul>
  );
}

/** What an agent does, in one line under its name. */
function doing(agent: Member): string {
  const { line, current_task: task, board, state, presence_since: since } = agent;
  const asked = blockedOnMe(agent)?.ref.task ?? null;
  const shown = asked ?? (line?.text ? null : task);
  if (shown) return `${shown.ref} ${visible(shown.title)}`;
  if (line?.text) return visible(line.text);
  return state === "idle" && since ? `${board}, since ${timeOf(since)}` : board;
}
