import { expect } from "bun:test";
import { seed, timesMore } from "../../support/tries.ts";
import type { Model } from "./model.ts";
import { eventually, type Agent, type Person } from "./person.ts";
import { randomNumbers } from "./random-numbers.ts";

/** 30, and 200 where much is tried. */
const messages = Math.min(200, timesMore(30));
/** How long it may take. */
export const randomMomentsMs = messages * 10_000;

interface AtWork {
  readonly person: Person;
  readonly model: Model;
  readonly agent: Agent;
  readonly scout: Agent;
  /** Types a prompt into the session and waits until the model is asked. */
  prompt(text: string): Promise<void>;
  /** Kills the session and resumes it. */
  killSession(): Promise<void>;
}

/**
 * Posts to a session's agent, and kills the session and the daemon, at random moments. Fails if a message never was in a turn that
 * the model answered, or if the position moved before that.
 */
export async function tryRandomMoments(given: AtWork): Promise<void> {
  const { person, model, agent, scout } = given;
  const random = randomNumbers(seed);
  const posted = new Map<number, string>();
  /** Whether the model has answered with a message in its conversation. */
  const wasAnswered = (text: string) =>
    model.requests.some((request) => request.isAnswered && request.text.includes(text));
  const unseen: string[] = [];
  const look = async () => {
    const position = await agent.position();
    for (const [seq, text] of posted)
      if (seq <= position && !wasAnswered(text)) unseen.push(`${text} at ${position}`);
    return position;
  };

  async function post(number: number): Promise<void> {
    const text = `message-${number}.`;
    const act = random() < 0.3 ? "[[shell: true]] " : "";
    const body = `${text} [[sleep: ${Math.floor(random() * 400)}]] ${act}[[say: read]]`;
    const sender = random() < 0.5 ? person.client() : person.clientOf(scout);
    const input = { params: { board: "lab" }, body: { body, to: ["@writer"] } };
    posted.set((await sender.call("postMessage", input)).seq, text);
  }
  async function killDaemon(): Promise<void> {
    const pid = (await person.daemon())?.pid;
    if (pid !== undefined) process.kill(pid, "SIGKILL");
    // Nobody would start it while the session is idle and the person away.
    await person.service(["daemon", "start"]);
  }

  for (let number = 1; number <= messages; number++) {
    await post(number);
    await Bun.sleep(random() * 1_000);
    const chance = random();
    if (chance < 0.1) await killDaemon();
    else if (chance < 0.2) await given.killSession();
    else if (chance < 0.3) await given.prompt(`hello ${number} [[say: hi]]`);
    await look();
    expect(unseen).toEqual([]);
  }
  const last = Math.max(...posted.keys());
  await eventually(look, (position) => position >= last, "the read position", 90_000);
  expect(unseen).toEqual([]);
  expect([...posted.values()].filter((text) => !wasAnswered(text))).toEqual([]);
}
