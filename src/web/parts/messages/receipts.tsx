import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { OutputOf } from "../../../contract/index.ts";
import { api } from "../../core/connection/api.ts";
import { boardOf } from "../../core/boards/board.ts";
import type { Message } from "../../core/talk/talk.ts";
import { Icon } from "../icon.tsx";
import { keepInView } from "../menu.tsx";
import { sentenceOf } from "../problem.tsx";
import { keyOf, Mark, Name, named } from "../who.tsx";

export type Receipts = OutputOf<"getReceipts">;
type Recipient = Receipts["recipients"][number];

/** Asks whom a message has reached. */
export const receiptsOf = ({ board, seq }: Message): Promise<Receipts> =>
  api.call("getReceipts", { params: { board, seq } });

/** Why a message waits for somebody. */
function whyPending(board: string, { queued, member }: Recipient): string {
  if (queued) return "pending: comes at the end of its turn";
  const state = boardOf(board).members.value.find(
    ({ name, kind, origin }) =>
      name === member.name && kind === member.kind && origin === member.origin,
  )?.state;
  return state ? `pending: ${state}` : "pending";
}

/** Whom a message has reached, in a word for each. Escape closes it. */
export function ReceiptsMenu({
  message,
  onClose,
}: {
  message: Message;
  onClose: (returns: boolean) => void;
}) {
  const box = useRef<HTMLDivElement>(null);
  const [found, setFound] = useState<Receipts | Error | null>(null);
  useLayoutEffect(() => {
    box.current?.focus({ preventScroll: true });
    const away = (event: Event) => {
      if (event.target instanceof Node && !box.current?.contains(event.target)) onClose(false);
    };
    document.addEventListener("pointerdown", away);
    receiptsOf(message).then(setFound, (error: unknown) =>
      setFound(error instanceof Error ? error : new Error(String(error))),
    );
    return () => document.removeEventListener("pointerdown", away);
  }, []);
  useEffect(() => {
    if (found) keepInView(box.current!);
  }, [found]);
  return (
    <div
      ref={box}
      class="menu pop"
      role="group"
      aria-label="Receipts"
      tabIndex={-1}
      onKeyDown={(event) => {
        if (event.key !== "Escape") return;
        event.preventDefault();
        event.stopPropagation();
        onClose(true);
      }}
    >
      <Found found={found} />
    </div>
  );
}

function Found({ found }: { found: Receipts | Error | null }) {
  const line = (text: string) => (
    <div class="mi">
      <span />
      <span class="muted">{text}</span>
    </div>
  );
  if (found === null) return line("Asking whom it has reached…");
  if (found instanceof Error) return line(sentenceOf(found));
  if (!found.available) return line("Receipts are no longer kept for this message.");
  if (found.recipients.length === 0)
    return line(found.to_everyone ? "It is for everybody on the board." : "It is for nobody else.");
  return found.recipients.map((recipient) => (
    <div class="mi" key={keyOf(recipient.member)}>
      <Mark of={recipient.member} small />
      <span>
        <Name of={recipient.member} />
      </span>
      {recipient.state === "read" ? (
        <span class="ok">
          <Icon name="check" small />
          read
        </span>
      ) : recipient.state === "received" ? (
        <span class="dim">reached</span>
      ) : (
        <span class="muted">{whyPending(found.board, recipient)}</span>
      )}
    </div>
  ));
}

/** The names of those whom a message has reached: `reached dex and jonas`, or `reached 2 of 4`. */
export function reachedLine({ available, recipients }: Receipts): string | null {
  if (!available || recipients.length === 0) return null;
  const reached = recipients.filter(({ state }) => state === "received" || state === "read");
  if (reached.length === 0) return "reached nobody yet";
  if (reached.length < recipients.length || reached.length > 3)
    return `reached ${reached.length} of ${recipients.length}`;
  const names = reached.map(({ member }) => named(member));
  return `reached ${[names.slice(0, -1).join(", "), names.at(-1)].filter(Boolean).join(" and ")}`;
}
