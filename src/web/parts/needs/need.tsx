import { ageShown } from "../../core/screen/age-shown.ts";
import { givenTo, isReopened, leaveAnswer, respond } from "../../core/attention/needs.ts";
import { throwAway, unsent } from "../../core/sending/outbox.ts";
import type { AttentionItem } from "../../core/boards/overview.ts";
import { addressOf } from "../../core/screen/router.ts";
import { timeOf } from "../../core/screen/time.ts";
import { Icon } from "../icon.tsx";
import { addressOfItem, InWords, NeedActs, PutAside } from "./need-acts.tsx";
import { MessageText } from "../text/message-text.tsx";
import { Mark, Name, visible } from "../who.tsx";

/** One thing that needs the person. What can be done about it is done here. */
export const Need = ({ item }: { item: AttentionItem }) =>
  item.urgency === "now" && item.kind.endsWith("ask") ? (
    <BlockingAsk item={item} />
  ) : (
    <NeedRow item={item} />
  );

/** The keys of an item that has the focus: its options by number, `w` for words, `s` to put it off. */
function keysOf(item: AttentionItem) {
  return (event: KeyboardEvent & { currentTarget: HTMLElement }) => {
    const { currentTarget, target, key } = event;
    if (/^(INPUT|TEXTAREA)$/.test((target as Element).tagName)) return;
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const option = optionsOf(item)[Number(key) - 1];
    if (option !== undefined && givenTo(item) === null) respond(item, option, Number(key));
    else if (key === "w") currentTarget.querySelector<HTMLElement>("input.f")?.focus();
    else if (key === "s") currentTarget.querySelector<HTMLElement>(".menu-at > button")?.click();
    else return;
    event.preventDefault();
  };
}

const optionsOf = ({ actions }: AttentionItem): readonly string[] =>
  actions.find(({ name }) => name === "answerAsk")?.options ?? [];

const Where = ({ item }: { item: AttentionItem }) => {
  const address = addressOfItem(item);
  return address ? <a href={address}>{item.board}</a> : null;
};

/** An ask that an agent stands still for: the loudest thing there is. */
function BlockingAsk({ item }: { item: AttentionItem }) {
  const { from, ref } = item;
  const isApproval = item.kind === "approval_ask";
  const newer = /there is a newer .*$/.exec(item.title)?.[0];
  return (
    <li class="need-ask">
      <div
        class="ask you"
        role="group"
        tabIndex={-1}
        data-need
        aria-label={visible(item.title)}
        onKeyDown={keysOf(item)}
      >
        <div class="ask-h">
          <Icon name="stop" />
          <span>
            {from && <Name of={from} />} is <b>blocked on you</b>
            {isApproval && ": approve a file"}
          </span>
          {ref.task && item.board && (
            <span class="for">
              holds <a href={addressOf(item.board, "tasks", ref.task.ref)}>{ref.task.ref}</a>{" "}
              <bdi>{visible(ref.task.title)}</bdi>
            </span>
          )}
          <span class="end">
            <Where item={item} /> · {ageShown(item.at)}
          </span>
        </div>
        <div class="ask-b">
          <MessageText id={item.id} text={item.text} />
          {newer && <p class="muted">Since it was asked, {visible(newer)}.</p>}
          {isApproval && <Changes item={item} />}
          <Answering item={item} label="Or in your own words" verb="Answer" />
          <p class="ask-f">What you answer is the board’s record of the decision.</p>
        </div>
      </div>
      <PutAside item={item} />
    </li>
  );
}

/** Links to what changed in the files that wait for an approval. */
const Changes = ({ item: { board, ref } }: { item: AttentionItem }) => (
  <div class="act">
    {board &&
      (ref.files ?? []).map(({ id, name, version }) => {
        const address = addressOf(board, "files", name);
        return (
          <a
            class="b p"
            key={id}
            href={version > 1 ? `${address}?v=${version - 1}..${version}` : address}
          >
            {version > 1 ? "Read what changed in" : "Read"} {visible(name)}
          </a>
        );
      })}
  </div>
);

/** The options of an ask and a field for words. What was answered stands in their place. */
function Answering({ item, label, verb }: { item: AttentionItem; label: string; verb: string }) {
  const options = optionsOf(item);
  if (givenTo(item) !== null) return <Given item={item} />;
  return (
    <div class="opts">
      {options.map((option, at) => (
        <button
          class="opt"
          type="button"
          key={option}
          onClick={() => respond(item, option, at + 1)}
        >
          <kbd>{at + 1}</kbd>
          <span>
            <bdi>{visible(option)}</bdi>
          </span>
        </button>
      ))}
      <InWords item={item} label={options.length > 0 ? label : "Your answer"} verb={verb} />
    </div>
  );
}

/** What the person answered, until the server has it. */
function Given({ item }: { item: AttentionItem }) {
  const text = givenTo(item) ?? "";
  const held = unsent.value.find(
    ({ body, board }) => board === item.board && body.body === text && "reply_to" in body,
  );
  return (
    <p class="chosen" role="status">
      <Icon name={held?.problem ? "warn" : "check"} />
      <span>
        <b>
          <bdi>{visible(text)}</bdi>
        </b>{" "}
        {held?.problem ?? (held ? "waits to be sent" : "sent")}
        {held?.problem && (
          <>
            {" "}
            <button
              class="lnk0"
              type="button"
              onClick={() => {
                throwAway(held.key);
                leaveAnswer(item);
              }}
            >
              Throw it away
            </button>
          </>
        )}
      </span>
    </p>
  );
}

/** What happened, after the name of who did it, in the words of the server. The board stands behind it as a link. */
function sentenceOf({ from, title, board }: AttentionItem): string {
  const start = from ? `@${from.name} ` : "";
  const end = ` on ${board}`;
  const rest = title
    .slice(title.startsWith(start) ? start.length : 0)
    .replace(/goes on without an answer later$/, "goes on without an answer");
  return visible(rest.endsWith(end) ? rest.slice(0, -end.length) : rest);
}

/** A thing that waits and stops nobody. */
function NeedRow({ item }: { item: AttentionItem }) {
  const { from, ref, kind, board } = item;
  const goesOnAt = kind === "ask" && ref.until;
  return (
    <li class="need" tabIndex={-1} data-need onKeyDown={keysOf(item)}>
      {from ? <Mark of={from} /> : <Icon name={board ? "needs" : "machine"} />}
      <div>
        <header class="by">
          {from && <Name of={from} />}
          <span class="to">
            {sentenceOf(item)}
            {goesOnAt && ` at ${timeOf(goesOnAt)}`}
            {board && (
              <>
                {" "}
                on <Where item={item} />
              </>
            )}
          </span>
          <span class="muted">{ageShown(item.at)}</span>
        </header>
        {kind === "agent_waiting" ? (
          <p>
            Only that session can be answered. <b>{visible(item.text)}</b>
          </p>
        ) : (
          item.text && <MessageText id={item.id} text={item.text} />
        )}
        {givenTo(item) === null ? <NeedActs item={item} /> : <Given item={item} />}
        {isReopened(item) && (
          <p class="foot">
            <button class="lnk0" type="button" onClick={() => leaveAnswer(item)}>
              Leave the answer as it is
            </button>
          </p>
        )}
      </div>
    </li>
  );
}
