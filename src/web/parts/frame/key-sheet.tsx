import { Fragment } from "preact";
import { dialog } from "../../core/screen/dialogs.ts";
import { Dialog } from "../dialog.tsx";
import { modKey } from "./mod-key.ts";

/** Keys with what they do: keys that are pressed together stand in one text, others are alternatives or follow. */
type Line = readonly [what: string, ...keys: string[]];

/** What stands between keys is a word. */
const isWord = (key: string): boolean => key === "then" || key === "or";

const sections = (): readonly (readonly [title: string, lines: readonly Line[]])[] => [
  [
    "Anywhere",
    [
      ["Jump, search or do", modKey.trim(), "K"],
      ["Search this board", "/"],
      ["What needs you", "G", "then", "H"],
      ["Talk", "G", "then", "T"],
      ["Tasks", "G", "then", "K"],
      ["Files", "G", "then", "F"],
      ["Brief", "G", "then", "B"],
      ["People", "G", "then", "P"],
      ["Next board up or down", "Alt", "↑", "or", "Alt", "↓"],
      ["Next board with something new", "N"],
      ["Next thing that needs you", "A"],
      ["Next part of the page", "F6"],
      ["Close, or back to the timeline", "Esc"],
      ["This sheet", "?"],
    ],
  ],
  [
    "What needs you",
    [
      ["Next", "A"],
      ["Choose an option", "1", "2", "3", "4"],
      ["Answer in words", "W"],
      ["Put it off", "S"],
    ],
  ],
  [
    "Timeline",
    [
      ["Next message", "J", "or", "↓"],
      ["Message before", "K", "or", "↑"],
      ["First new message", "U"],
      ["Newest", "End"],
      ["Mark the board read", "M"],
      ["Fold or unfold replies", "Z"],
      ["Filter", "F"],
    ],
  ],
  [
    "A message",
    [
      ["Reply in its thread", "R"],
      ["Open its thread", "↵", "or", "→"],
      ["React", "E"],
      ["Make a task of it", "T"],
      ["Copy its link", "L"],
      ["Who has it reached", "I"],
      ["All of this as a menu", "."],
    ],
  ],
  [
    "Writing",
    [
      ["Write", "C"],
      ["Send", "↵"],
      ["New line", "⇧", "↵"],
      ["Mention", "@"],
      ["First: ask, urgent, asks for a reply", "/"],
    ],
  ],
  [
    "Tasks and files",
    [
      ["New task, on the tasks page", "C"],
      ["Start it", "S"],
      ["Done", "D"],
      ["List or columns", "V"],
      ["Version before or after", "[", "or", "]"],
    ],
  ],
];

/** All keys of the page. */
export function KeySheet() {
  return (
    <Dialog
      title="Keyboard"
      isWide
      isText
      onClose={() => {
        dialog.value = null;
      }}
    >
      <div class="keys">
        {sections().map(([title, lines]) => (
          <section key={title}>
            <h3>{title}</h3>
            <dl>
              {lines.map(([what, ...keys]) => (
                <Fragment key={what}>
                  <dt>{what}</dt>
                  <dd>
                    {keys.map((key, at) => (
                      <Fragment key={at}>
                        {at > 0 && " "}
                        {isWord(key) ? <span class="muted">{key}</span> : <kbd>{key}</kbd>}
                      </Fragment>
                    ))}
                  </dd>
                </Fragment>
              ))}
            </dl>
          </section>
        ))}
      </div>
      <p class="hint">
        Single letters do nothing while you write. You can turn them off under your account.
      </p>
    </Dialog>
  );
}
