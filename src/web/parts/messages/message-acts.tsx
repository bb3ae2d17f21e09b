import { useComputed } from "@preact/signals";
import {
  canAct,
  canOpenTasks,
  copyLink,
  current,
  opened,
  openThread,
  reply,
  taskFrom,
  type Feed,
  type Opened,
} from "../../core/talk/message-acts.ts";
import { send } from "../../core/sending/outbox.ts";
import type { Message } from "../../core/talk/talk.ts";
import { Icon, type IconName } from "../icon.tsx";
import { Menu, type MenuItem } from "../menu.tsx";
import { ReactionMenu } from "./reactions.tsx";
import { ReceiptsMenu } from "./receipts.tsx";

/** The element of a message in a feed. */
export const elementId = (feed: Feed, seq: number): string =>
  feed === "talk" ? `m${seq}` : `tm${seq}`;

/** Opens something at a message. */
export const openAt = (feed: Feed, { id }: Message, what: Opened): void => {
  opened.value = { feed, id, what };
};

/** What can be done with a message, at the message that the pointer or the focus is at. */
export function MessageActs({ message, feed }: { message: Message; feed: Feed }) {
  const { id } = message;
  const what = useComputed(() => {
    const { value } = opened;
    return value?.id === id && value.feed === feed ? value.what : null;
  }).value;
  const isHere = useComputed(() => current.value?.id === id && current.value.feed === feed).value;
  if (!isHere && what === null) return null;
  const close = (returns: boolean) => {
    opened.value = null;
    if (returns)
      document.getElementById(elementId(feed, message.seq))?.focus({ preventScroll: true });
  };
  const toggle = (one: Opened) => (what === one ? close(true) : openAt(feed, message, one));
  return (
    <div
      class={what === null ? "acts" : "acts open"}
      role="toolbar"
      aria-label={`Message ${message.seq}`}
    >
      {canAct(message.board) && (
        <>
          <Act icon="reply" label="Reply (R)" run={() => reply(message)} />
          <Act
            icon="smile"
            label="React (E)"
            run={() => toggle("react")}
            isOpen={what === "react"}
          />
        </>
      )}
      {canOpenTasks(message.board) && (
        <Act icon="task" label="Make a task of it (T)" run={() => (taskFrom.value = message)} />
      )}
      <Act icon="dots" label="More (.)" run={() => toggle("menu")} isOpen={what === "menu"} />
      {what === "menu" && <Menu label="Message" items={itemsOf(message, feed)} onClose={close} />}
      {what === "react" && <ReactionMenu message={message} onClose={close} />}
      {what === "reached" && <ReceiptsMenu message={message} onClose={close} />}
    </div>
  );
}

function Act({
  icon,
  label,
  isOpen,
  run,
}: {
  icon: IconName;
  label: string;
  isOpen?: boolean;
  run: () => void;
}) {
  return (
    <button
      class="ib"
      type="button"
      aria-label={label}
      title={label}
      {...(isOpen !== undefined && { "aria-haspopup": "menu", "aria-expanded": isOpen })}
      onPointerDown={(event) => {
        // What is open closes by this button, and not by the press outside of it.
        if (isOpen) event.stopPropagation();
      }}
      onClick={run}
    >
      <Icon name={icon} />
    </button>
  );
}

/** The menu of a message. */
function itemsOf(message: Message, feed: Feed): readonly MenuItem[] {
  const acts = canAct(message.board);
  const items: (MenuItem | false)[] = [
    acts && { label: "Reply", icon: "reply", keyName: "R", run: () => reply(message) },
    acts && {
      label: "React",
      icon: "smile",
      keyName: "E",
      run: () => openAt(feed, message, "react"),
    },
    feed === "talk" && {
      label: "Open its thread",
      icon: "thread",
      keyName: "Enter",
      run: () => openThread(message),
    },
    canOpenTasks(message.board) && {
      label: "Make a task of it",
      icon: "task",
      keyName: "T",
      run: () => (taskFrom.value = message),
    },
    { label: "Copy its link", icon: "link", keyName: "L", run: () => copyLink(message) },
    {
      label: "Whom has it reached",
      icon: "eye",
      keyName: "I",
      run: () => openAt(feed, message, "reached"),
    },
    message.ask?.state === "open" &&
      message.ask.can_withdraw && {
        label: "Take the ask back",
        icon: "x",
        isBad: true,
        isApart: true,
        run: () => takeBack(message),
      },
  ];
  return items.filter((item) => item !== false);
}

/** Withdraws an ask. */
const takeBack = ({ board, id }: Message): void =>
  send(board, { body: "I take this ask back.", reply_to: id, answer: { withdrawn: true } });
