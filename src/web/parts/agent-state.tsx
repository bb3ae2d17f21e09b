import { blockedOnMe } from "../core/attention/at-work.ts";
import type { Member } from "../core/boards/board.ts";
import { ageOf, timeOf, momentOf } from "../core/screen/time.ts";
import { visible } from "./who.tsx";

/** What an agent does, as a shape and a word. That it stands still because of the reader is stronger than its presence. */
export function AgentState({ agent, isLong = false }: { agent: Member; isLong?: boolean }) {
  const ask = blockedOnMe(agent);
  if (ask) return <span class="st waiting">blocked on you{isLong && `, ${ageOf(ask.at)}`}</span>;
  if (!agent.state) return null;
  return <span class={`st ${agent.state}`}>{wordsOf(agent, isLong)}</span>;
}

function wordsOf({ state, presence_since: since, line }: Member, isLong: boolean): string {
  const until = line?.until ? (isLong ? momentOf : timeOf)(line.until) : null;
  switch (state) {
    case "waiting":
      return isLong
        ? `waits in its session${since ? `, ${ageOf(since)}` : ""}`
        : "waits in session";
    case "idle":
      return isLong && since ? `idle since ${momentOf(since)}` : "idle";
    case "working":
      // A minute of work is not worth saying.
      return isLong && since && ageOf(since) !== "now" ? `working, ${ageOf(since)}` : "working";
    case "paused":
      return until ? `paused until ${until}` : "paused";
    case "late":
      return until ? `late since ${until}` : "late";
    default:
      return state ?? "";
  }
}

const harnesses: ReadonlyMap<string, string> = new Map([
  ["claude-code", "Claude Code"],
  ["codex", "Codex"],
  ["opencode", "opencode"],
]);

/** The name of a harness as people write it. */
export const harnessNamed = (harness: string): string => harnesses.get(harness) ?? visible(harness);

/** What an agent runs in, and on which machine if the reader may know, as the end of a line. */
export function harnessWords({ harness, location }: Member): string {
  const program = location?.harness ?? harness;
  if (!program) return "";
  return ` · ${harnessNamed(program)}${location?.machine ? ` on ${visible(location.machine)}` : ""}`;
}
