import type { VerifiedEvent } from "../../board-archive/verify-event.ts";
import {
  longestCharter,
  longestDropReason,
  longestGoingWith,
  longestHarness,
  longestMessage,
  longestOption,
  longestTaskAbout,
  longestTaskNote,
  mostFilesAttached,
  mostOptions,
  mostTargets,
  mostTasksAbout,
} from "../../contract/limits.ts";
import type { EventType } from "../../contract/log.ts";
import { Handle } from "../../contract/scalars.ts";
import { fits } from "../../contract/validate.ts";
import { hasControls } from "../names.ts";

/** The most characters that the operations take for each text of an event, and the most entries of each list, by the names in its data. */
const bounds: { [T in EventType]?: Readonly<Record<string, number>> } = {
  "board.created": { charter: longestCharter },
  "member.joined": { harness: longestHarness },
  "message.posted": {
    body: longestMessage,
    to: mostTargets,
    about: mostTasksAbout,
    files: mostFilesAttached,
  },
  "task.created": { about: longestTaskAbout },
  "task.updated": { about: longestTaskAbout, stands: longestTaskNote },
  "task.done": { note: longestTaskNote },
  "task.dropped": { reason: longestDropReason },
};
const boundsOfAsk = { options: mostOptions, going_with: longestGoingWith };

type Data = Readonly<Record<string, unknown>>;

/**
 * What an event has that no operation takes, and that whoever reads the board relies on; null if there is nothing. Twice as much is
 * taken: a credential that was taken out leaves a word in its place, and what is recorded may have more than was asked for.
 */
export function beyondBounds({ type, payload }: VerifiedEvent): string | null {
  const ask = (type === "message.posted" && payload["ask"]) as Data | false | undefined;
  return (
    longerThan(payload, bounds[type] ?? {}) ??
    (ask ? (longerThan(ask, boundsOfAsk) ?? longerOption(ask)) : null) ??
    wrongNames(payload)
  );
}

function longerThan(data: Data, most: Readonly<Record<string, number>>): string | null {
  for (const [name, bound] of Object.entries(most)) {
    const value = data[name];
    if (typeof value === "string" && value.length > 2 * bound) return longText;
    if (Array.isArray(value) && value.length > 2 * bound)
      return "has more of something than anybody can write";
  }
  return null;
}

const longText = "has a longer text than anybody can write";
const longerOption = ({ options }: Data): string | null =>
  (options as string[]).some((each) => each.length > 2 * longestOption) ? longText : null;

/** Names that stand in one line with words of the program's own. */
function wrongNames({ owner, harness }: Data): string | null {
  if (typeof owner === "string" && !fits(Handle, owner))
    return "names an owner whose handle is none";
  return typeof harness === "string" && hasControls(harness)
    ? "names a harness that is none"
    : null;
}
