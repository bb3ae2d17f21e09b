import type { DaemonRequest } from "../../client/machine/daemon-wire.ts";
import type { HookInput } from "./hook-input.ts";

type Plan = NonNullable<DaemonRequest["plan"]>;
type Fields = Readonly<Record<string, unknown>>;

/** What the agent's own list of work says that it does now, if the tools of this hook have changed it; else null. */
export function planIn(input: HookInput): Plan | null {
  const calls = Array.isArray(input["tool_calls"]) ? input["tool_calls"] : [input];
  const plans = calls.map((call) => planOf(fieldsOf(call))).filter((plan) => plan !== null);
  return plans.at(-1) ?? null;
}

function planOf({ tool_name: tool, tool_input }: Fields): Plan | null {
  const given = fieldsOf(tool_input);
  if (tool === "TodoWrite") return planFrom(listIn(given["todos"]));
  if (tool === "update_plan") return planFrom(listIn(given["plan"]));
  const isBegun = tool === "TaskUpdate" && given["status"] === "in_progress";
  return isBegun ? planFrom([given]) : null;
}

/** The first item that is being worked on, and how many are done. Null if none is. */
function planFrom(items: readonly Fields[]): Plan | null {
  const inState = (state: string) => items.filter(({ status }) => status === state);
  const [now] = inState("in_progress");
  const { activeForm, subject, content, step } = now ?? {};
  const text = [activeForm, subject, content, step].find((one) => typeof one === "string");
  if (text === undefined || text === "") return null;
  return { text, done: inState("completed").length, total: items.length };
}

const listIn = (value: unknown): Fields[] => (Array.isArray(value) ? value.map(fieldsOf) : []);
const fieldsOf = (value: unknown): Fields =>
  typeof value === "object" && value !== null ? (value as Fields) : {};
