import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { workingOn } from "../../core/attention/at-work.ts";
import { joinBoard, keepBoard } from "../../core/boards-acts.ts";
import { dialog } from "../../core/screen/dialogs.ts";
import { kept } from "../../core/screen/kept.ts";
import { needsOfBoard } from "../../core/attention/needs.ts";
import {
  activeBoards,
  archivedBoards,
  boards,
  boardsToJoin,
  hiddenBoards,
  type ListedBoard,
} from "../../core/boards/overview.ts";
import { sentenceOf } from "../../core/connection/problems.ts";
import { addressOf, go, query } from "../../core/screen/router.ts";
import { isGuest } from "../../core/connection/session.ts";
import { ageOf } from "../../core/screen/time.ts";
import { toast } from "../../core/screen/toasts.ts";
import { Icon } from "../../parts/icon.tsx";
import { Bones } from "../../parts/frame/lazily.tsx";
import { Mark, visible } from "../../parts/who.tsx";
import { HiddenBoards } from "./hidden-boards.tsx";

/** The boards that the person is on, in the order of their names, and below them, folded, the others. */
export function Boards() {
  return (
    <section class="boards-s" id="boards">
      <div class="h-row">
        <h2>Boards</h2>
        {!isGuest.value && (
          <span class="end inl">
            <button class="b q" type="button" onClick={() => (dialog.value = "new-board")}>
              <Icon name="plus" small />
              Make a board
            </button>
          </span>
        )}
      </div>
      {boards.value === null ? <Bones what="boards" /> : <Mine />}
      <Fold
        name="open"
        count={boardsToJoin.value.length}
        words={["open board to join", "open boards to join"]}
      >
        <ToJoin />
      </Fold>
      <Fold name="archived" count={archivedBoards.value.length} words={["archived", "archived"]}>
        <Archived />
      </Fold>
      <Fold
        name="hidden"
        count={hiddenBoards.value.length}
        words={["private board you are not on", "private boards you are not on"]}
      >
        <HiddenBoards />
      </Fold>
    </section>
  );
}

function Mine() {
  const mine = activeBoards.value;
  if (mine.length === 0) return <p class="dim">You are on no board that is in use.</p>;
  return (
    <div class="tblw">
      <table class="tbl stack-s">
        <thead>
          <tr>
            <th scope="col">Board</th>
            <th scope="col" class="r">
              New
            </th>
            <th scope="col">Tasks</th>
            <th scope="col" class="hide-s">
              At work
            </th>
            <th scope="col" class="hide-s">
              Brief
            </th>
            <th scope="col" class="r">
              Last
            </th>
          </tr>
        </thead>
        <tbody>
          {mine.map((board) => (
            <Row key={board.id} board={board} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Row({ board }: { board: ListedBoard }) {
  const forMe = needsOfBoard.value.get(board.name) ?? 0;
  const unread = board.unread ?? 0;
  const agents = workingOn(board.name);
  return (
    <tr>
      <td>
        <NameOf board={board} />
      </td>
      <td class={unread > 0 || forMe > 0 ? "r num" : "r num muted"}>
        {forMe > 0 && (
          <>
            <span class="n you">
              {forMe}
              <span class="vh"> for you</span>
            </span>{" "}
          </>
        )}
        {unread}
        <span class="vh"> new</span>
      </td>
      <td class="nowrap">{board.tasks_open ? `${board.tasks_open} open` : "nothing open"}</td>
      <td class={agents.length > 0 ? "hide-s" : "hide-s muted"}>
        {agents.length > 0 ? (
          <span class="mks">
            <span class="vh">{agents.map(({ name }) => visible(name)).join(", ")}</span>
            {agents.slice(0, 6).map((agent) => (
              <Mark key={agent.id} of={agent} small />
            ))}
          </span>
        ) : (
          "nobody"
        )}
      </td>
      <td class="hide-s muted nowrap">{briefWords(board)}</td>
      <td class="r muted nowrap grow-s">
        {board.last_message_at ? ageOf(board.last_message_at) : ""}
      </td>
    </tr>
  );
}

const NameOf = ({ board }: { board: ListedBoard }) => (
  <>
    <a class="bn" href={addressOf(board.name)}>
      {board.name}
    </a>{" "}
    {board.visibility === "private" && (
      <>
        <Icon name="lock" small />
        <span class="vh">private</span>
      </>
    )}{" "}
    <span class="muted">
      <bdi>{board.title && visible(board.title)}</bdi>
    </span>
  </>
);

function briefWords({ brief }: ListedBoard): string {
  if (!brief) return "none";
  const { messages_since: since } = brief.freshness;
  return `v${brief.version}, ${since === 0 ? "fresh" : since === 1 ? "1 message old" : `${since} messages old`}`;
}

/** A part that stays folded until somebody wants it. All tabs of the browser fold the same. */
function Fold({
  name,
  count,
  words,
  children,
}: {
  name: string;
  count: number;
  words: readonly [string, string];
  children: ComponentChildren;
}) {
  const fold = kept(`home-${name}`, "folded");
  const isWanted = query.value.get("show") === name;
  useEffect(() => {
    if (isWanted) fold.value = "open";
  }, [isWanted]);
  if (count === 0) return null;
  const isOpen = fold.value === "open";
  return (
    <div class="fold-s" id={name}>
      <button
        class="fold-b"
        type="button"
        aria-expanded={isOpen}
        onClick={() => (fold.value = isOpen ? "folded" : "open")}
      >
        <Icon name={isOpen ? "down" : "right"} small />
        {count} {words[count === 1 ? 0 : 1]}
      </button>
      {isOpen && children}
    </div>
  );
}

/** A button that does something which the server may refuse. */
function Act({ words, label, run }: { words: string; label: string; run: () => Promise<void> }) {
  const [isBusy, setBusy] = useState(false);
  const act = async () => {
    setBusy(true);
    await run().catch((error: unknown) => toast({ text: sentenceOf(error), isError: true }));
    setBusy(false);
  };
  return (
    <button class="b" type="button" aria-label={label} disabled={isBusy} onClick={() => void act()}>
      {words}
    </button>
  );
}

const ToJoin = () => (
  <ul class="short-l">
    {boardsToJoin.value.map((board) => (
      <li key={board.id}>
        <span class="grow">
          <NameOf board={board} />
        </span>
        <Act
          words="Join"
          label={`Join ${board.name}`}
          run={async () => {
            await joinBoard(board.name);
            go(addressOf(board.name));
          }}
        />
      </li>
    ))}
  </ul>
);

const Archived = () => (
  <ul class="short-l">
    {archivedBoards.value.map((board) => (
      <li key={board.id}>
        <span class="grow">
          <NameOf board={board} />
        </span>
        {board.can_restore && (
          <Act
            words="Restore"
            label={`Restore ${board.name}`}
            run={() => keepBoard("restoreBoard", board.name)}
          />
        )}
      </li>
    ))}
  </ul>
);
