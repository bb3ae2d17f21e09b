import { useState } from "preact/hooks";
import {
  decline,
  dismiss,
  isDismissable,
  isReopened,
  respond,
  snooze,
} from "../../core/attention/needs.ts";
import type { AttentionItem } from "../../core/boards/overview.ts";
import { addressOf } from "../../core/screen/router.ts";
import { snoozesAt } from "../../core/screen/snoozes.ts";
import { CopyLine } from "../copy-line.tsx";
import { Icon } from "../icon.tsx";
import { MenuButton } from "../menu.tsx";
import { visible } from "../who.tsx";

/** The address of what an item is about. */
export function addressOfItem({ board, kind, ref }: AttentionItem): string | null {
  if (!board) return null;
  if (kind === "agent_silent" && ref.task) return addressOf(board, "tasks", ref.task.ref);
  if (kind === "agent_waiting" || kind === "agent_silent") return addressOf(board, "people");
  return ref.message_id && ref.seq ? addressOf(board, "message", ref.seq) : addressOf(board);
}

/** A field for an answer or a reply in words. */
export function InWords({
  item,
  label,
  verb,
}: {
  item: AttentionItem;
  label: string;
  verb: string;
}) {
  const [text, setText] = useState("");
  return (
    <form
      class="words"
      onSubmit={(event) => {
        event.preventDefault();
        respond(item, text);
        setText("");
      }}
    >
      <input
        class="f"
        aria-label={label}
        placeholder={label}
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
      />
      <button class="b" type="submit">
        {verb}
      </button>
    </form>
  );
}

/** The menu that puts an item off or takes it off the list. */
export function PutAside({ item }: { item: AttentionItem }) {
  if (isReopened(item)) return null;
  return (
    <MenuButton
      label={`Later: ${visible(item.title)}`}
      class="b q"
      items={[
        ...snoozesAt(new Date()).map(({ label, until, words }) => ({
          label,
          icon: "clock" as const,
          run: () => void snooze(item, until, words),
        })),
        ...(isDismissable(item)
          ? [
              {
                label: "Take it off the list",
                icon: "x" as const,
                isApart: true,
                run: () => dismiss(item),
              },
            ]
          : []),
      ]}
    >
      Later
      <Icon name="down" small />
    </MenuButton>
  );
}

/** What can be done about an item that stops nobody. */
export function NeedActs({ item }: { item: AttentionItem }) {
  const { kind, ref } = item;
  const address = addressOfItem(item);
  const [isOpen, setOpen] = useState(false);
  const action = (named: string) => item.actions.find(({ name }) => name === named);
  const answer = action("answerAsk");
  const command = action("command");
  const opens = action("open");
  return (
    <>
      {command && <CopyLine line={command.command} />}
      <div class="act">
        {(answer?.options ?? []).map((option, at) => (
          <button
            class="b"
            type="button"
            key={option}
            onClick={() => respond(item, option, at + 1)}
          >
            <kbd>{at + 1}</kbd>
            <bdi>{visible(option)}</bdi>
          </button>
        ))}
        {(answer ?? action("reply")) && (
          <InWords item={item} label={labelOf(item)} verb={answer ? "Answer" : "Send"} />
        )}
        {kind === "pairing" && opens && (
          <button class="b" type="button" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            How to accept
          </button>
        )}
        {action("decline") && (
          <button class="b q" type="button" onClick={() => void decline(item)}>
            Decline
          </button>
        )}
        {kind !== "pairing" && opens && address && (
          <a class="b q" href={address}>
            Open
          </a>
        )}
        <PutAside item={item} />
      </div>
      {isOpen && opens && (
        <>
          <p class="dim">
            Only a session of yours can accept. Run this in a terminal, or paste it into the
            session:
          </p>
          <CopyLine line={opens.command} />
        </>
      )}
      {kind === "not_delivered" && ref.seq && (
        <p class="hint">An agent that is disconnected receives it once its session is back.</p>
      )}
    </>
  );
}

function labelOf({ from, ref, kind }: AttentionItem): string {
  if (kind === "ask") return "Or in your own words";
  const names = from ? [from.name] : (ref.agents ?? []).map(({ name }) => name);
  const first = visible(names.slice(0, 2).join(" and "));
  return kind === "reply_wanted" || kind === "mention" ? `Reply to ${first}` : `Write to ${first}`;
}
