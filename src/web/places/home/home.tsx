import { useEffect, useRef } from "preact/hooks";
import { agentsAtWork } from "../../core/attention/at-work.ts";
import { givenTo, hasAnswered, needCount, needs } from "../../core/attention/needs.ts";
import {
  activeBoards,
  archivedBoards,
  attention,
  boards,
  boardsToJoin,
  hiddenBoards,
  loadMoreAttention,
  serverName,
} from "../../core/boards/overview.ts";
import { letNotify, mayOfferToNotify } from "../../core/attention/notifications.ts";
import { openPalette } from "../../core/screen/palette.ts";
import { query } from "../../core/screen/router.ts";
import { ageOf, timeOf } from "../../core/screen/time.ts";
import { Icon } from "../../parts/icon.tsx";
import { Bones } from "../../parts/frame/lazily.tsx";
import { Need } from "../../parts/needs/need.tsx";
import { MyAccount } from "../../parts/frame/rail.tsx";
import { AtWork } from "./at-work.tsx";
import { Boards } from "./boards.tsx";
import { FirstBoard } from "./first-board.tsx";

/** What needs the person, and the boards. */
export function Home() {
  const shows = query.value.get("show") ?? "needs";
  const box = useRef<HTMLDivElement>(null);
  const isLoaded = boards.value !== null;
  useEffect(() => {
    const id = { needs: "needs", boards: "boards", open: "open", archived: "archived" }[shows];
    const { current } = box;
    if (!isLoaded || !current || !id) return;
    if (id === "needs") current.scrollTop = 0;
    else current.querySelector(`#${id}`)?.scrollIntoView();
  }, [shows, isLoaded]);
  const isEmpty =
    isLoaded &&
    [activeBoards, boardsToJoin, archivedBoards, hiddenBoards].every(
      ({ value }) => value.length === 0,
    );
  return (
    <>
      <main class="main" id="main" tabIndex={-1} data-f6>
        <PhoneHead shows={shows} />
        <div class="page" ref={box}>
          <div class="col" id="needs">
            {isEmpty && needs.value.length === 0 ? (
              <FirstBoard />
            ) : (
              <>
                <Needs />
                <Boards />
              </>
            )}
          </div>
        </div>
      </main>
      {!isEmpty && <AtWork isShown={shows === "work"} />}
    </>
  );
}

/** On a phone the rail is this head: where one is, and the three parts of home. */
function PhoneHead({ shows }: { shows: string }) {
  const news = activeBoards.value.filter(({ unread }) => (unread ?? 0) > 0).length;
  const atWork = agentsAtWork.value.working;
  const tab = (name: string, href: string, children: preact.ComponentChildren) => (
    <a href={href} {...(shows === name && { "aria-current": "page" })}>
      {children}
    </a>
  );
  return (
    <header class="head phone-head">
      <div class="head-1">
        <span class="brand">
          <Icon name="brand" />
          {serverName}
        </span>
        <div class="end">
          <button
            class="ib"
            type="button"
            aria-label="Jump or search"
            onClick={() => openPalette()}
          >
            <Icon name="search" />
          </button>
          <MyAccount class="ib" />
        </div>
      </div>
      <nav class="tabs" aria-label="Home">
        {tab(
          "needs",
          "/",
          <>Needs you {needCount.value > 0 && <span class="n you">{needCount.value}</span>}</>,
        )}
        {tab(
          "boards",
          "/?show=boards",
          <>
            Boards <span class="num">{news > 0 ? `${news} new` : ""}</span>
          </>,
        )}
        {tab(
          "work",
          "/?show=work",
          <>
            At work <span class="num">{atWork > 0 ? atWork : ""}</span>
          </>,
        )}
      </nav>
    </header>
  );
}

function Needs() {
  const list = attention.value;
  const items = needs.value;
  return (
    <>
      <div class="h-row">
        <h1 class="title">Needs you</h1>
        <p class="muted" role="status">
          {list && sentence()}
        </p>
      </div>
      {!list && <Bones what="what needs you" />}
      {items.length > 0 && (
        <ul class="items">
          {items.map((item) => (
            <Need key={item.id} item={item} />
          ))}
        </ul>
      )}
      {list?.more && (
        <p class="foot">
          <button class="lnk0" type="button" onClick={() => void loadMoreAttention()}>
            Show more of the {needCount.value}
          </button>
        </p>
      )}
      {hasAnswered.value && mayOfferToNotify() && (
        <p class="foot">
          <button class="lnk0" type="button" onClick={() => void letNotify()}>
            Tell me next time
          </button>
          when an agent stands still and this page is not in view.
        </p>
      )}
      {list?.next_wake_at && (
        <p class="foot">
          You have put something off. The next comes back at {timeOf(list.next_wake_at)}.
        </p>
      )}
    </>
  );
}

const numbers = ["No", "One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine"];
const inWords = (count: number): string => numbers[count] ?? String(count);

/** How many agents stand still, and the longest for how long. */
function sentence(): string {
  const open = needs.value.filter((item) => givenTo(item) === null);
  if (open.length === 0) return "Nothing waits for you.";
  const blocking = open.filter(({ urgency, kind }) => urgency === "now" && kind.endsWith("ask"));
  const asking = new Set(blocking.map(({ from, board }) => `${from?.kind} ${board} ${from?.name}`));
  const agents = [...asking].filter((one) => one.startsWith("agent")).length;
  if (agents === 0)
    return open.length === 1
      ? "One thing, and no agent stands still."
      : `${inWords(open.length)} things, and no agent stands still.`;
  const first = blocking.find(({ from }) => from?.kind === "agent")!;
  const longest = ageOf(first.at);
  const stand = agents === 1 ? "One agent stands still" : `${inWords(agents)} agents stand still`;
  if (longest === "now") return `${stand}.`;
  return `${stand}. ${agents === 1 ? "It has" : "The longest has"} waited ${spelled(longest)}.`;
}

const spelled = (age: string): string =>
  /^\d+ (min|h)$/.test(age)
    ? age
        .replace(/^1 min$/, "1 minute")
        .replace(/ min$/, " minutes")
        .replace(/^1 h$/, "1 hour")
        .replace(/ h$/, " hours")
    : `since ${age}`;
