import { useEffect, useId, useRef, useState } from "preact/hooks";
import { closePalette } from "../../core/screen/palette.ts";
import { sentenceOf } from "../../core/connection/problems.ts";
import { addressOf, go, place } from "../../core/screen/router.ts";
import { commandsFor } from "./commands.ts";
import { Modal } from "../dialog.tsx";
import { Icon } from "../icon.tsx";
import {
  boardsFor,
  lately,
  membersFor,
  plain,
  searched,
  type Find,
  type Group,
  type Piece,
} from "./palette-finds.ts";
import { Mark, named, visible } from "../who.tsx";

/** So long after the last key the server is asked. */
const restMs = 150;

/** Where one jumps to places, searches, and does things by their names. */
export function Palette({ board, text }: { board: string | null; text: string }) {
  const here = place.value.name === "board" ? place.value.board : null;
  const [scope, setScope] = useState(board);
  const [typed, setTyped] = useState(text);
  const [chosen, setChosen] = useState<string | null>(null);
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const { found, problem, isSearching } = useSearch(typed, scope);
  const groups = groupsOf(typed, scope ?? here, scope !== null, found).filter(
    ({ finds }) => finds.length > 0,
  );
  const all = groups.flatMap(({ finds }) => finds);
  const at = Math.max(
    0,
    all.findIndex((one) => one.id === chosen),
  );
  useEffect(() => {
    list.current?.querySelector("[aria-selected=true]")?.scrollIntoView({ block: "nearest" });
  }, [chosen, all.length]);
  const take = (find: Find, isBeside = false) => {
    closePalette();
    // What is opened takes the focus after the palette has given it back.
    setTimeout(() => {
      const to = isBeside && find.beside ? find.beside : find.to;
      if (typeof to === "string") go(to);
      else to();
    });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step && all.length > 0) setChosen(all[(at + step + all.length) % all.length]!.id);
    else if (event.key === "Enter" && all[at]) take(all[at], event.metaKey || event.ctrlKey);
    else return;
    event.preventDefault();
  };
  return (
    <Modal class="dlg pal" aria-label="Jump or search" onClose={closePalette}>
      <div class="pal-in">
        <Icon name="search" />
        <input
          role="combobox"
          aria-expanded={all.length > 0}
          aria-controls={id}
          aria-autocomplete="list"
          {...(all[at] && { "aria-activedescendant": `${id}-${at}` })}
          aria-label={scope ? `Search ${scope}` : "Jump, search or do"}
          placeholder={scope ? `Search ${scope}` : "Jump, search or do"}
          autocomplete="off"
          spellcheck={false}
          value={typed}
          onInput={(event) => {
            setTyped(event.currentTarget.value);
            setChosen(null);
          }}
          onKeyDown={onKeyDown}
        />
        {(scope ?? here) && (
          <button
            class="b q"
            type="button"
            aria-pressed={scope !== null}
            onClick={() => setScope(scope ? null : here)}
          >
            {scope ? `in ${scope}` : "everywhere"}
          </button>
        )}
        <button class="ib only-phone" type="button" aria-label="Close" onClick={closePalette}>
          <Icon name="x" />
        </button>
      </div>
      <div class="pal-l" role="listbox" id={id} aria-label="Results" ref={list}>
        {groups.map(({ title, finds }) => (
          <div role="group" aria-labelledby={`${id}-${title}`} key={title}>
            <div class="gh" id={`${id}-${title}`} role="presentation">
              {title}
            </div>
            {finds.map((find) => (
              <Line
                key={find.id}
                id={`${id}-${all.indexOf(find)}`}
                find={find}
                isChosen={find === all[at]}
                onChoose={() => take(find)}
              />
            ))}
          </div>
        ))}
      </div>
      <p class={all.length === 0 || problem ? "pal-n" : "vh"} role="status">
        {problem ??
          (all.length > 0
            ? `${all.length} found`
            : isSearching
              ? "Searching…"
              : typed.trim().length < 2
                ? "Type at least two letters."
                : "Nothing found.")}
      </p>
      <div class="pal-f">
        <span>
          <kbd>↑</kbd> <kbd>↓</kbd> choose
        </span>
        <span>
          <kbd>↵</kbd> open
        </span>
        <span>
          <kbd>&gt;</kbd> commands
        </span>
        <span>
          <kbd>@</kbd> people and agents
        </span>
        <span>
          <kbd>Esc</kbd> back to where you were
        </span>
      </div>
    </Modal>
  );
}

/** The groups that what was typed leads to, in the order in which they are shown. */
function groupsOf(
  typed: string,
  board: string | null,
  isScoped: boolean,
  found: readonly Group[],
): readonly Group[] {
  const text = typed.trim();
  if (text.startsWith(">")) return [commandsFor(text.slice(1).trim(), board)];
  if (text.startsWith("@")) return [membersFor(text.slice(1), board)];
  if (text === "") return isScoped ? [] : [lately(), commandsFor("", board, 4)];
  const inTimeline: Group = {
    title: "Do",
    finds: board
      ? [
          {
            id: "filter",
            icon: "filter",
            pieces: plain("Show only messages with these words in the timeline"),
            to: `${addressOf(board)}?q=${encodeURIComponent(text)}`,
          },
        ]
      : [],
  };
  if (isScoped) return [...found, inTimeline];
  return [boardsFor(text), membersFor(text, board), ...found, commandsFor(text, board, 3)];
}

/** What the server finds: after a rest of the typing, and only the newest question counts. */
function useSearch(typed: string, board: string | null) {
  const [found, setFound] = useState<readonly Group[]>([]);
  /** What the last answer was about. */
  const [answered, setAnswered] = useState("");
  const [problem, setProblem] = useState<string | null>(null);
  const text = typed.trim();
  const isAsked = text.length >= 2 && !/^[>@]/.test(text);
  useEffect(() => {
    setProblem(null);
    if (!isAsked) return setFound([]);
    let isStale = false;
    const timer = setTimeout(() => {
      searched(text, board).then(
        (groups) => {
          if (isStale) return;
          setFound(groups);
          setAnswered(text);
        },
        (error: unknown) => {
          if (isStale) return;
          setFound([]);
          setAnswered(text);
          setProblem(sentenceOf(error));
        },
      );
    }, restMs);
    return () => {
      isStale = true;
      clearTimeout(timer);
    };
  }, [text, board]);
  return { found: isAsked ? found : [], problem, isSearching: isAsked && answered !== text };
}

const Pieces = ({ pieces }: { pieces: readonly Piece[] }) => (
  <bdi>
    {pieces.map(({ text, isFound }, at) =>
      isFound ? <mark key={at}>{text}</mark> : <span key={at}>{text}</span>,
    )}
  </bdi>
);

function Line({
  id,
  find: { icon, who, mono, pieces, end, keyName, sub },
  isChosen,
  onChoose,
}: {
  id: string;
  find: Find;
  isChosen: boolean;
  onChoose: () => void;
}) {
  return (
    <div class="po" role="option" id={id} aria-selected={isChosen} onClick={onChoose}>
      {who ? <Mark of={who} small /> : <Icon name={icon ?? "right"} />}
      <span class="clip1">
        {mono && (
          <>
            <span class={who ? (who.kind === "agent" ? "who a" : "who") : "mono"}>
              {who ? named(who) : visible(mono)}
            </span>{" "}
          </>
        )}
        <Pieces pieces={pieces} />
      </span>
      <span class="muted nowrap">{keyName ? <kbd>{keyName}</kbd> : end}</span>
      {sub && (
        <span class="sub clip1">
          <Pieces pieces={sub} />
        </span>
      )}
    </div>
  );
}
