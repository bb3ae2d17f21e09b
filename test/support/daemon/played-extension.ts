import { opencodeProfile } from "../../../src/client/harnesses/opencode.ts";
import { connectToDaemon } from "../../../src/client/machine/daemon-client.ts";
import type {
  ExtensionEvent,
  ExtensionLine,
  ToldFate,
  ToldState,
} from "../../../src/client/machine/extension-wire.ts";
import type { Machine } from "../../../src/client/machine/machine.ts";
import { extensionHarness } from "../../../src/daemon/extensions/extension-harness.ts";
import { systemClock } from "../../../src/daemon/loop/clock.ts";
import { startDaemonOnDocs } from "./daemon-on-docs.ts";
import { until } from "../wait-until.ts";

/** The board docs, and a daemon whose harness `fake` has an extension that the test plays. */
export async function startWithExtension(clock = systemClock) {
  const profile = { ...opencodeProfile, harness: "fake" };
  const logged: string[] = [];
  const adapter = extensionHarness(profile, clock, (line) => void logged.push(line));
  const there = await startDaemonOnDocs({}, clock, adapter);
  return { ...there, told: logged };
}

type Home = Pick<Machine, "folders" | "system">;

/** A process of the harness with our extension, connected to the daemon. It takes every text and knows nothing of its fate. */
export async function playedExtension(machine: Home, boot = "boot_1") {
  const connection = await connectToDaemon(machine);
  const events: ExtensionEvent[] = [];
  const fates = new Map<string, ToldFate>();
  const state = { ended: false, takes: true, error: "" };
  const send = (line: ExtensionLine) => connection.send(line);

  function take(event: ExtensionEvent): void {
    events.push(event);
    if (event.event === "deliver" && state.takes) {
      const { session, handoff_id } = event;
      fates.set(handoff_id, "waiting");
      send({ op: "received", session, handoff_id });
    }
    if (event.event === "fate") {
      const { session, handoff_id } = event;
      send({ op: "fate", session, handoff_id, fate: fates.get(handoff_id) ?? "absent" });
    }
  }
  async function listen(): Promise<void> {
    for (;;) take((await connection.next()) as unknown as ExtensionEvent);
  }
  const listening = listen().catch((error: { code?: string }) => {
    state.ended = true;
    state.error = error.code ?? String(error);
  });

  function all<Name extends ExtensionEvent["event"]>(name: Name) {
    return events.filter(
      (one): one is Extract<ExtensionEvent, { event: Name }> => one.event === name,
    );
  }
  /** The event of this name after so many of them. */
  async function next<Name extends ExtensionEvent["event"]>(name: Name, count = 0) {
    await until(() => all(name).length > count, `${name} ${count + 1}`);
    return all(name)[count]!;
  }
  const hello = { op: "hello", v: 1, harness: "fake", boot } as const;
  return {
    send,
    events,
    fates,
    state,
    all,
    next,
    hello,
    /** Says hello and opens a session. */
    async opened(session = "one", told: ToldState = "idle") {
      if (events.length === 0) send(hello);
      await next("welcome");
      const count = all("opened").length;
      send({ op: "open", session, state: told });
      return next("opened", count);
    },
    /** The next text that comes after this call. */
    nextText() {
      return next("deliver", all("deliver").length);
    },
    async close() {
      connection.close();
      await listening;
    },
    /** Waits until the daemon has closed the connection. */
    ended: () => until(() => state.ended, "the end of the connection"),
  };
}
