import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import {
  answeredHere,
  asksInView,
  blockingAsks,
  changing,
  goToNextAsk,
} from "../../core/sending/asks.ts";
import { useKeys } from "../../core/screen/keys.ts";
import { shortened } from "../../core/screen/words.ts";
import { Ask } from "../asks/ask.tsx";
import { Icon } from "../icon.tsx";
import { named, visible } from "../who.tsx";

/**
 * The asks to this person that block somebody on a board, as long as one of them is not wholly on the screen. One line says who
 * asks what; unfolded, the whole ask is answered there. Several wait in a row, oldest first. `inPanel` is for a panel that lies
 * over the board: what is under it is on no screen.
 */
export function Dock({ board, inPanel = false }: { board: string; inPanel?: boolean }) {
  const all = blockingAsks(board).value;
  const waiting = (all ?? []).filter(
    ({ id }) => answeredHere(id) === undefined || changing.value.has(id),
  );
  const [isOpen, setOpen] = useState(false);
  const [at, setAt] = useState(0);
  const box = useRef<HTMLElement>(null);
  const index = Math.min(at, waiting.length - 1);
  const shown = waiting[index];
  const cardOf = (id: string) =>
    document.querySelector<HTMLElement>(
      `${inPanel ? ".panel " : ""}[data-ask="${CSS.escape(id)}"]`,
    );
  const isSeen = waiting.every(
    ({ id }) => asksInView.value.has(id) && (!inPanel || cardOf(id) !== null),
  );
  const wantsFocus = useRef(false);
  const focusAsk = () => {
    wantsFocus.current = true;
    // Unfolded already, it may be the same one.
    if (isOpen) box.current?.querySelector<HTMLElement>(".ask")?.focus();
  };
  useKeys({
    a: () => {
      const focused = focusedAsk();
      if (all === null) return goToNextAsk({ startsHere: !focused }) ? undefined : false;
      const here = waiting.findIndex(({ id }) => id === focused);
      const last = here >= 0 ? here : isOpen ? index : -1;
      if (waiting.length === 0 || last === waiting.length - 1) {
        if (goToNextAsk()) return;
        if (waiting.length === 0) return false;
      }
      const next = last >= 0 ? (last + 1) % waiting.length : index;
      setAt(next);
      // Where every ask is on the screen there is no dock, and each is answered where it stands.
      const card = isSeen && !isOpen && cardOf(waiting[next]!.id);
      if (card) return card.focus();
      setOpen(true);
      focusAsk();
    },
    ...(isOpen &&
      waiting.length > 0 && {
        Escape: () => {
          if (!box.current?.contains(document.activeElement)) return false;
          setOpen(false);
        },
      }),
  });
  const id = shown?.id;
  // The keys go to the ask as soon as it is there, also to the next one after an answer.
  useLayoutEffect(() => {
    const isNowhere = (document.activeElement ?? document.body) === document.body;
    if (isOpen && (wantsFocus.current || isNowhere))
      box.current?.querySelector<HTMLElement>(".ask")?.focus();
    wantsFocus.current = false;
  }, [id, isOpen]);
  useEffect(() => {
    if (!id) setOpen(false);
  }, [id]);
  if (!shown?.ask || (isSeen && !isOpen)) return null;
  const count = waiting.length > 1 ? `${index + 1} of ${waiting.length}` : undefined;
  if (isOpen)
    return (
      <aside class="dock-open" aria-label="An ask that blocks an agent" ref={box}>
        <Ask key={shown.id} message={shown} ask={shown.ask} {...(count && { count })} inDock />
        <div class="dock-acts">
          {waiting.length > 1 && (
            <button class="b q" type="button" onClick={() => setAt((index + 1) % waiting.length)}>
              Next one <kbd>A</kbd>
            </button>
          )}
          <button class="b q" type="button" onClick={() => setOpen(false)}>
            Fold <kbd>Esc</kbd>
          </button>
        </div>
      </aside>
    );
  const { options, approval } = shown.ask;
  return (
    <aside class="dock" aria-label="An ask that blocks an agent" ref={box}>
      <span class="q">
        <Icon name="stop" />{" "}
        <b class={shown.from.kind === "agent" ? "mono" : ""}>
          <bdi>{named(shown.from)}</bdi>
        </b>{" "}
        <b>is blocked on you.</b> {firstWords(shown.body)}
      </span>
      <button
        class="b"
        type="button"
        aria-expanded={false}
        onClick={() => {
          setOpen(true);
          focusAsk();
        }}
      >
        <Icon name="up" small />
        {approval ? "Approve" : options.length > 0 ? `${options.length} options` : "Answer"}{" "}
        <kbd>A</kbd>
      </button>
      {count && (
        <button class="b" type="button" onClick={() => setAt((index + 1) % waiting.length)}>
          {count}
          <span class="vh">, show the next one</span>
        </button>
      )}
    </aside>
  );
}

/** The id of the ask that has the focus: its card, the message around it, or something in one of them. */
function focusedAsk(): string | undefined {
  const { activeElement: focused } = document;
  const card =
    focused?.closest<HTMLElement>("[data-ask]") ??
    focused?.closest("article")?.querySelector<HTMLElement>("[data-ask]");
  return card?.dataset["ask"];
}

const longestWords = 140;

/** The beginning of a question, in one line. */
function firstWords(body: string): string {
  const [line = ""] = body.trim().split("\n");
  return visible(shortened(line, longestWords));
}
