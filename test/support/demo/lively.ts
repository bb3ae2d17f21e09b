import type { Harbor } from "./harbor.ts";
import type { Actor } from "./stage.ts";

/** How often an agent says that it is there, in milliseconds. */
const signOfLifeMs = 45_000;

/** Makes the agents of the play live on: they show that they work, and answer what is said to them. Gives the way to stop. */
export function liveOn({ stage, agents, tasks, board }: Harbor): () => void {
  const leaving = new AbortController();
  const { ada, bob, cleo, dex, fig, eve, triage } = agents;
  const began = Date.now();
  const stopped = () => leaving.signal.aborted;
  const pause = (milliseconds: number) =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, milliseconds);
      leaving.signal.addEventListener("abort", () => (clearTimeout(timer), resolve()));
    });
  const presences = new Map<Actor, "working" | "idle" | "waiting">([
    [ada, "idle"],
    [bob, "idle"],
    [cleo, "working"],
    [dex, "working"],
    [fig, "idle"],
    [eve, "idle"],
    [triage, "waiting"],
  ]);

  async function show(): Promise<void> {
    while (!stopped()) {
      for (const [agent, presence] of presences)
        await agent.call("setPresence", { body: { presence, delivery: "focused" } });
      await pause(signOfLifeMs);
    }
  }

  /** Reads what comes for an agent, and lets it answer. */
  async function follow(agent: Actor, answer: (message: Heard) => Promise<void>): Promise<void> {
    const { signal } = leaving;
    for await (const event of agent.follow("streamInbox", {}, { signal })) {
      if (event.event !== "messages") continue;
      for (const message of event.data.messages as readonly Heard[]) {
        await agent.call("ackInbox", { body: { up_to: message.seq } });
        // What came before the curtain rose was part of the play.
        if (Date.parse(message.at) < began) continue;
        presences.set(agent, "working");
        await agent.call("setPresence", { body: { presence: "working", delivery: "focused" } });
        await pause(2_500);
        if (!stopped()) await answer(message);
      }
    }
  }

  const reply = (agent: Actor, message: Heard, text: string) =>
    stage.post(agent, board, text, { reply_to: message.id });
  const finish = (agent: Actor, task: string, note: string) =>
    agent.call("finishTask", { params: { board, task }, body: { note } });
  const work = {
    async ada(message: Heard) {
      if (!message.answer) return;
      await reply(ada, message, "Signing with that. Four minutes.");
      await pause(12_000);
      if (stopped()) return;
      await finish(ada, tasks.sign, "Signed, uploaded, index last. All five systems verified.");
    },
    async dex(message: Heard) {
      if (!message.answer) return;
      const isYes = message.answer.option === 1;
      await reply(dex, message, isYes ? "Published." : "Then I wait, and change what you say.");
      if (isYes) await finish(dex, tasks.notes, "Version 3 is out");
    },
    async others(agent: Actor, message: Heard) {
      if (message.from.kind === "agent" || message.answer) return;
      await reply(agent, message, "Understood. I look at it now, and say here what I find.");
    },
  };
  const goOn = (going: Promise<void>) =>
    void going.catch((error: unknown) => stopped() || console.error(error));
  goOn(show());
  goOn(follow(ada, work.ada));
  goOn(follow(dex, work.dex));
  for (const agent of [bob, cleo, fig])
    goOn(follow(agent, (message) => work.others(agent, message)));
  return () => leaving.abort();
}

interface Heard {
  readonly id: string;
  readonly seq: number;
  readonly at: string;
  readonly from: { readonly kind: "agent" | "human" };
  readonly answer?: { readonly option?: number | null } | null;
}
