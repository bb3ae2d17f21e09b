import type { Toggle } from "../../core/sending/completion.ts";
import { isWritten, type Draft } from "../../core/sending/drafts.ts";
import {
  armed,
  draftName,
  needsDecision,
  problemOf,
  waitsForFiles,
} from "../../core/sending/writing.ts";
import type { Writing } from "./writing.ts";
import { Icon, type IconName } from "../icon.tsx";

/** The switches of a message, with the words and icons that they have everywhere. */
export const switches: Readonly<
  Record<Toggle, { readonly label: string; readonly icon: IconName }>
> = {
  ask: { label: "Ask", icon: "ask" },
  urgent: { label: "Urgent", icon: "urgent" },
  reply: { label: "Asks for a reply", icon: "reply" },
  quiet: { label: "Quiet", icon: "bell" },
  to: { label: "Choose recipients", icon: "people" },
  attach: { label: "Attach a file", icon: "clip" },
  preview: { label: "Preview", icon: "eye" },
};

const isOn = (draft: Draft, toggle: Toggle, isPreview: boolean): boolean =>
  ({
    ask: draft.ask !== null,
    urgent: draft.urgent,
    reply: draft.expectsReply,
    quiet: draft.quiet,
    to: draft.to.length > 0,
    attach: draft.files.length > 0,
    preview: isPreview,
  })[toggle];

/** A press leaves the caret in the text. */
const keepFocus = (event: Event) => event.preventDefault();

/** The buttons of a composer: few while it is one line, all of them once it is used. */
export function ComposerBar({ writing, isOpen }: { writing: Writing; isOpen: boolean }) {
  const { draft, toggles, toggle, isPreview } = writing;
  const shown = toggles.filter((one) => one !== "to");
  const icon = (one: Toggle, label: string) => (
    <button
      class="ib"
      type="button"
      aria-label={label}
      onPointerDown={keepFocus}
      onClick={() => toggle(one)}
    >
      <Icon name={switches[one].icon} />
    </button>
  );
  if (!isOpen)
    return (
      <div class="compose-bar">
        {toggles.includes("attach") && icon("attach", switches.attach.label)}
        {toggles.includes("ask") && icon("ask", "Ask somebody, with options")}
        <button class="ib" type="submit" aria-label="Send (Enter)">
          <Icon name="send" />
        </button>
      </div>
    );
  return (
    <div class="compose-bar" role="group" aria-label="What the message is">
      {toggles.includes("attach") && icon("attach", switches.attach.label)}
      {shown
        .filter((one) => one !== "attach")
        .map((one) => (
          <button
            class="tgl"
            type="button"
            key={one}
            aria-pressed={isOn(draft, one, isPreview)}
            aria-label={switches[one].label}
            onPointerDown={keepFocus}
            onClick={() => toggle(one)}
          >
            <Icon name={switches[one].icon} small />
            <span>{switches[one].label}</span>
          </button>
        ))}
      <div class="end">
        <SendButton writing={writing} />
      </div>
    </div>
  );
}

function SendButton({ writing: { draft, place } }: { writing: Writing }) {
  const problem = needsDecision(draft)
    ? "See to the file first."
    : isWritten(draft) || draft.ask
      ? problemOf(draft)
      : null;
  const waits = waitsForFiles(draft);
  const isArmed = armed.value.has(draftName(place));
  return (
    <>
      <span class={problem ? "hint" : "hint hide-s"} role="status">
        {problem ?? (isArmed ? "goes once it is uploaded" : isWritten(draft) && "draft kept here")}
      </span>
      <button class="b p" type="submit" disabled={problem !== null || isArmed}>
        {waits ? "Send when uploaded" : "Send"}
      </button>
    </>
  );
}
