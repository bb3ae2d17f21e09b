import { opencodeProfile } from "../../../src/client/harnesses/opencode.ts";
import {
  connectToDaemon,
  type DaemonConnection,
} from "../../../src/client/machine/daemon-client.ts";
import type {
  ExtensionEvent,
  ExtensionLine,
  ToldFate,
} from "../../../src/client/machine/extension-wire.ts";
import { extensionHarness } from "../../../src/daemon/extensions/extension-harness.ts";
import { systemClock } from "../../../src/daemon/loop/clock.ts";
import { until, untilTrue } from "../wait-until.ts";
import type { HarnessUnderTest } from "./harness-under-test.ts";

interface Text {
  readonly id: string;
  readonly text: string;
  state: "waiting" | "running" | "unanswered" | "answered";
}

/** A session in a process of its own, and what that process has stored. */
interface Played {
  connection: DaemonConnection | null;
  boot: string;
  isRunning: boolean;
  turn: "none" | "typed" | "woken";
  loses: boolean;
  readonly texts: Text[];
  readonly read: string[];
  fresh: string[];
  readonly answered: string[];
  /** How often the daemon has said that the session is open. */
  opened: number;
  notices: number;
}

/** A harness with an extension: each session has a connection to the daemon, which it makes again when it is lost. */
export const extensionUnderTest: HarnessUnderTest = {
  name: "an extension on the daemon's socket",
  make: () => ({
    adapter: extensionHarness({ ...opencodeProfile, harness: "fake" }, systemClock, () => {}),
    drive(there) {
      const sessions = new Map<string, Played>();
      function at(session: string): Played {
        const played = sessions.get(session) ?? {
          connection: null,
          boot: "",
          isRunning: false,
          turn: "none",
          loses: false,
          texts: [],
          read: [],
          fresh: [],
          answered: [],
          opened: 0,
          notices: 0,
        };
        sessions.set(session, played as Played);
        return played as Played;
      }
      const send = (session: string, line: ExtensionLine) => at(session).connection?.send(line);

      function begin(session: string, turn: "typed" | "woken"): void {
        const played = at(session);
        played.turn = turn;
        for (const text of played.texts) if (text.state === "waiting") take(played, text);
        send(session, { op: "busy", session });
      }
      function take(played: Played, text: Text): void {
        text.state = "running";
        played.read.push(text.text);
        played.fresh.push(text.text);
      }

      function deliver(session: string, id: string, text: string): void {
        const played = at(session);
        send(session, { op: "received", session, handoff_id: id });
        if (played.loses) {
          played.loses = false;
          return void send(session, { op: "idle", session });
        }
        const known = played.texts.find((one) => one.id === id);
        const own: Text = known ?? { id, text, state: "waiting" };
        if (!known) played.texts.push(own);
        if (own.state === "unanswered") own.state = "waiting";
        if (played.turn === "none") begin(session, "woken");
        else if (own.state === "waiting") take(played, own);
      }
      function fateOf(session: string, id: string): ToldFate {
        const { state = "absent" } = at(session).texts.find((one) => one.id === id) ?? {};
        return state === "running" ? "waiting" : state;
      }
      function hear(session: string, event: ExtensionEvent): void {
        if (event.event === "opened") at(session).opened++;
        if (event.event === "notice") at(session).notices++;
        if (event.event === "deliver") deliver(session, event.handoff_id, event.bundle);
        if (event.event === "fate") {
          const { handoff_id } = event;
          send(session, { op: "fate", session, handoff_id, fate: fateOf(session, handoff_id) });
        }
      }

      /** Holds a connection to the daemon until the session ends. */
      async function stayConnected(session: string): Promise<void> {
        const played = at(session);
        const { boot } = played;
        const isOver = () => !played.isRunning || played.boot !== boot;
        while (!isOver()) {
          try {
            const connection = await connectToDaemon(there.machine);
            played.connection = connection;
            send(session, { op: "hello", v: 1, harness: "fake", boot });
            const state = played.turn === "none" ? "idle" : "busy";
            send(session, { op: "open", session, state });
            for (;;) {
              const event = (await connection.next()) as unknown as ExtensionEvent;
              if (!isOver()) hear(session, event);
            }
          } catch {
            await new Promise((resolve) => setTimeout(resolve, 5));
          }
        }
      }

      const isKnown = async (session: string): Promise<boolean> =>
        (await there.ask({ op: "status" })).status!.bindings.some(
          (one) => one.session === `fake:${session}` && one.open,
        );
      /** Waits until the daemon has heard everything that the session said. */
      async function heard(session: string): Promise<void> {
        const played = at(session);
        const count = played.opened;
        const state = played.turn === "none" ? "idle" : "busy";
        send(session, { op: "open", session, state });
        await until(() => played.opened > count, "an answer of the daemon");
      }
      /** The model has said something: what it had read is answered. */
      function say(session: string): void {
        const played = at(session);
        played.answered.push(...played.fresh.splice(0));
        for (const text of played.texts)
          if (text.state === "running") {
            text.state = "answered";
            send(session, { op: "answered", session, handoff_id: text.id });
          }
      }

      return {
        async open(session) {
          const played = at(session);
          const count = played.opened;
          Object.assign(played, { isRunning: true, boot: crypto.randomUUID(), turn: "none" });
          void stayConnected(session);
          await until(() => played.opened > count, "the session to be open");
        },
        async close(session) {
          const played = at(session);
          Object.assign(played, { isRunning: false, turn: "none", fresh: [] });
          for (const text of played.texts) if (text.state === "running") text.state = "unanswered";
          played.connection?.close();
          await untilTrue(async () => !(await isKnown(session)), "the end of the session");
        },
        async type(session) {
          begin(session, "typed");
          await heard(session);
        },
        woken: (session) => until(() => at(session).turn === "woken", "a turn"),
        async tool(session) {
          const played = at(session);
          say(session);
          const count = played.notices;
          send(session, { op: "boundary", session, ask: count });
          await until(() => played.notices > count, "the answer to a boundary");
        },
        async answer(session) {
          say(session);
          at(session).turn = "none";
          send(session, { op: "idle", session });
        },
        async fail(session) {
          const played = at(session);
          Object.assign(played, { turn: "none", fresh: [] });
          for (const text of played.texts) if (text.state === "running") text.state = "unanswered";
          send(session, { op: "failed", session });
          await heard(session);
        },
        loseNext: (session) => void (at(session).loses = true),
        isBusy: (session) => at(session).turn !== "none",
        read: (session) => at(session).read,
        answered: (session) => at(session).answered,
      };
    },
  }),
};
