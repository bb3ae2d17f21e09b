/**
 * `npm run demo` starts a throw-away server with a team at work, and prints the link that signs you in as its first person.
 * `npm run demo -- --port 7420` takes that port. Everything is gone when it ends.
 */
import { parseArgs } from "node:util";
import { playHarbor } from "./harbor.ts";
import { liveOn } from "./lively.ts";

const { values } = parseArgs({ options: { port: { type: "string", default: "0" } } });
const harbor = await playHarbor({ port: Number(values.port) });
const stopLiving = liveOn(harbor);
const { stage, people } = harbor;

/** Prints a fresh link. */
const say = async () => {
  console.log(
    `\nA team at work, as mara sees it. The link works once, for a minute:\n\n  ${await stage.link(people.mara)}\n`,
  );
};
console.log(`A throw-away server at ${stage.url}. Control and C ends it, and nothing stays.`);
await say();
console.log("Enter makes another link.");

async function end(): Promise<never> {
  stopLiving();
  await stage.stop();
  process.exit(0);
}
process.once("SIGINT", () => void end());
process.once("SIGTERM", () => void end());
process.stdin.on("data", () => void say());
