import { resolve } from "node:path";
import type { Package } from "./programs.ts";

/** What delivery has to do in each harness. The page of the harnesses has a row for each. */
export const capabilities = {
  pairs: "A session makes a board and joins another by its shell tool, and is woken for both",
  wakes: "A message wakes an idle session, without a key typed",
  confirms: "The read position moves only after the model has answered",
  gathers: "Messages of two seconds are one wake",
  turnEnd: "What comes during a turn is added at its end",
  midTurn: "The owner's words reach a running turn",
  interrupted: "A turn that the person interrupts loses nothing",
  failed: "An error of the model's API loses nothing",
  killed: "A session that is killed gets its messages when it is resumed",
  cleared: "A cleared conversation has no seat, and wakes once it has one",
  moved: "A session wakes after its shell changed the folder",
  daemonKilled: "A daemon that is killed is started by the next hook, and nothing is lost",
  serverRestarted: "A restart of the server loses nothing",
  seats: "Seats on two boards in one session get one wake, and each its own position",
  subagent: "A subagent may read, and cannot act as the agent",
  tools: "The tools of `service mcp` are listed and called",
  forged: "A message cannot forge another's words",
  loop: "Agents that only answer each other stop, and the person is told why",
  removed: "After `service uninstall` nothing of ours is left, and an open session starts nothing",
  random: "Messages and kills at random moments: none is lost, none acknowledged unseen",
} as const;

/** The name of a capability. */
export type Capability = keyof typeof capabilities;

/** What a test has shown of a harness. */
export interface Fact {
  readonly harness: Package;
  readonly version: string;
  readonly capability: Capability;
  readonly passed: boolean;
}

/** The file with what this run has shown, a line for each test. */
export const factsFile = resolve(import.meta.dir, "../../../dist/test-results/harness-facts.jsonl");
