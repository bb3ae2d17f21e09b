import type { DaemonAnswer } from "../../../client/machine/daemon-wire.ts";
import type { DeliveryMode } from "../../../contract/waking.ts";
import { keepMode, keptModeOf } from "../../../db/journal/delivery-modes.ts";
import { seatAt } from "../../../db/journal/journal-sessions.ts";
import type { RawRequest } from "../../socket/listen.ts";
import { agentIn, neededText, RequestRefused } from "../held/requests.ts";
import type { SessionParts } from "../held/session-parts.ts";

const modes: readonly string[] = ["focused", "all", "humans", "off"] satisfies DeliveryMode[];

/** Makes the part that is told of a delivery mode by the command that has set it, before the server's stream says so. */
export function createModes({ db, feeds }: Pick<SessionParts, "db" | "feeds">) {
  return async function mode(request: RawRequest): Promise<Omit<DaemonAnswer, "v">> {
    const agent = agentIn(request);
    const told = { mode: modeIn(request), revision: revisionIn(request) };
    const before = db.read((tx) => keptModeOf(tx, agent));
    const isNews = told.revision > (before?.revision ?? 0);
    // A seat that no session ever held is nothing to the daemon.
    const isKnown = db.read((tx) => seatAt(tx, agent)) !== null;
    if (isNews && isKnown) {
      await db.write((tx) => keepMode(tx, agent, told));
      feeds.tellMode(agent, told);
    }
    const applied = isNews ? told.mode : before!.mode;
    return { mode: applied, changed: isNews && before?.mode !== applied };
  };
}

function modeIn(request: RawRequest): DeliveryMode {
  const mode = neededText(request, "mode");
  if (modes.includes(mode)) return mode as DeliveryMode;
  throw new RequestRefused(
    "invalid_request",
    `There is no delivery mode ${mode}.`,
    `The modes are ${modes.join(", ")}.`,
  );
}

function revisionIn({ revision }: RawRequest): number {
  if (Number.isSafeInteger(revision) && (revision as number) > 0) return revision as number;
  throw new RequestRefused(
    "invalid_request",
    "`revision` must be the number of the event that set the mode.",
    "The server's answer to setting it has the number.",
  );
}
