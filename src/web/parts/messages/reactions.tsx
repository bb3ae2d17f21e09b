import { useLayoutEffect, useRef } from "preact/hooks";
import { canAct, react, reactionsThereAre } from "../../core/talk/message-acts.ts";
import type { Message } from "../../core/talk/talk.ts";
import { keepInView } from "../menu.tsx";
import { visible } from "../who.tsx";

const wordsOf = (name: string): string =>
  reactionsThereAre.find((one) => one.name === name)?.words ?? name;

/** The reactions to a message. Each is a switch of one's own. */
export function Reactions({ message }: { message: Message }) {
  if (message.reactions.length === 0) return null;
  const isOff = !canAct(message.board);
  return (
    <div class="rx">
      {message.reactions.map(({ name, emoji, count, by, mine }) => {
        const whose = by.map(visible).join(", ");
        return (
          <button
            key={name}
            type="button"
            aria-pressed={mine}
            title={whose}
            aria-label={`${wordsOf(name)}, ${count}: ${whose}`}
            disabled={isOff}
            onClick={() => void react(message, name, !mine)}
          >
            <span aria-hidden="true">{emoji}</span>
            {count}
          </button>
        );
      })}
    </div>
  );
}

/** The six reactions to choose from. Arrows move, the numbers choose, Escape closes. */
export function ReactionMenu({
  message,
  onClose,
}: {
  message: Message;
  onClose: (returns: boolean) => void;
}) {
  const box = useRef<HTMLDivElement>(null);
  const buttons = () => [...(box.current?.querySelectorAll("button") ?? [])];
  // Before the next key is pressed.
  useLayoutEffect(() => {
    keepInView(box.current!);
    buttons()[0]?.focus();
    const away = (event: Event) => {
      if (event.target instanceof Node && !box.current?.contains(event.target)) onClose(false);
    };
    document.addEventListener("pointerdown", away);
    return () => document.removeEventListener("pointerdown", away);
  }, []);
  const choose = (at: number) => {
    const { name } = reactionsThereAre[at]!;
    const mine = message.reactions.find((one) => one.name === name)?.mine ?? false;
    onClose(true);
    void react(message, name, !mine);
  };
  const move = (event: KeyboardEvent) => {
    const all = buttons();
    const at = all.indexOf(document.activeElement as HTMLButtonElement);
    const last = all.length - 1;
    const to: Record<string, number> = {
      ArrowRight: at === last ? 0 : at + 1,
      ArrowLeft: at === 0 ? last : at - 1,
      Home: 0,
      End: last,
    };
    const number = Number(event.key);
    // Enter and the space bar press the button that has the focus.
    if (event.key === "Enter" || event.key === " ") return event.stopPropagation();
    if (event.key === "Escape" || event.key === "Tab") onClose(event.key === "Escape");
    else if (number >= 1 && number <= all.length) choose(number - 1);
    else all[to[event.key] ?? -1]?.focus();
    if (event.key === "Tab") return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div ref={box} class="menu rxm pop" role="menu" aria-label="React" onKeyDown={move}>
      {reactionsThereAre.map(({ name, emoji, words }, at) => (
        <button
          key={name}
          class="ib"
          type="button"
          role="menuitem"
          tabIndex={-1}
          aria-label={words}
          title={`${words} (${at + 1})`}
          onClick={() => choose(at)}
        >
          {emoji}
        </button>
      ))}
    </div>
  );
}
