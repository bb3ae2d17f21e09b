import type { DaemonAgent, DaemonAnswer } from "../../../client/machine/daemon-wire.ts";
import type { RawRequest } from "../../socket/listen.ts";
import { seatKeyOf, type LiveSession } from "../held/live-session.ts";
import { refuseSubagent } from "../held/requests.ts";
import type { SessionParts } from "../held/session-parts.ts";

/** A status line is written at most so often. */
const pauseMs = 10_000;
const mostCharacters = 120;

/** What a seat's line was made from a plan. */
interface Told {
  text: string;
  /** What is to be written when the pause is over. */
  next: string | null;
  isPausing: boolean;
}

/** Makes the part that writes what a session's own list of work says into its agent's status line. */
export function createPlans({ options, feeds, running }: SessionParts) {
  const seats = new Map<string, Told>();

  /** The seat whose agent works on it: the only one, else the only one with a task. */
  function seatOf({ key }: LiveSession): DaemonAgent | null {
    const held = feeds.seatsOf(key).map(({ feed }) => feed);
    const working = held.length > 1 ? held.filter(({ work }) => work?.current_task) : held;
    return working.length === 1 ? working[0]!.agent : null;
  }

  function write(agent: DaemonAgent, told: Told): void {
    if (told.isPausing || told.next === null || told.next === told.text) return;
    const text = told.next;
    Object.assign(told, { text, next: null, isPausing: true });
    options.clock.after(pauseMs, () => {
      told.isPausing = false;
      write(agent, told);
    });
    const body = { kind: "working" as const, text, source: "plan" as const };
    options
      .clientOf(agent)
      .call("setLine", { body })
      .catch((error: unknown) =>
        options.log(`line of ${agent.name}: ${error instanceof Error ? error.message : "?"}`),
      );
  }

  return async function plan(request: RawRequest): Promise<Omit<DaemonAnswer, "v">> {
    refuseSubagent(request);
    const agent = seatOf(await running(request));
    const text = textIn(request);
    if (agent === null || text === "") return {};
    const key = seatKeyOf(agent);
    const told = seats.get(key) ?? { text: "", next: null, isPausing: false };
    seats.set(key, told);
    told.next = text;
    write(agent, told);
    return {};
  };
}

/** The plan's text on one line, cut to what a status line holds. */
function textIn({ plan }: RawRequest): string {
  const { text } = (plan ?? {}) as { text?: unknown };
  if (typeof text !== "string") return "";
  const line = text.replace(/[\s\x00-\x1f\x7f]+/g, " ").trim();
  const characters = [...line];
  return characters.length <= mostCharacters
    ? line
    : `${characters.slice(0, mostCharacters - 1).join("")}…`;
}
