import { afterAll } from "bun:test";
import { apiAt, conversationIn, toolsIn, type Json, type Said } from "./conversation.ts";
import { isScript, stepsIn, type Directive } from "./directives.ts";
import { answerOf, type Reply, type ToolCall } from "./model-answers.ts";

/*
 * A scripted stand-in for a model, on loopback. It does what the text says that the session gets, anywhere in it:
 *
 *   [[shell: CMD]]         calls the harness's shell tool
 *   [[shells: CMD ;; CMD]] calls it twice in one answer
 *   [[tool: NAME {json}]]  calls the tool of that name
 *   [[agent: PROMPT]]      starts a subagent with that prompt, which holds its own directives
 *   [[sleep: MS]]          answers later
 *   [[hold: NAME]]         answers once `release(NAME)` was called
 *   [[say: TEXT]]          ends the turn with that text
 *   [[fail: STATUS]]       answers with that HTTP status
 *
 * Of the newest text with directives one is carried out for each call of the model; then the turn ends with "done".
 * Which comes next is counted from the conversation, so a session that was killed and resumed goes on where it was.
 * What tools print is not read.
 */

/** A request that reached the model. */
export interface Recorded {
  /** Milliseconds since 1970. */
  readonly at: number;
  /** The text since the model's last words: prompts, results of tools, what hooks added. */
  readonly newest: string;
  /** The whole conversation as text, without the system prompt. */
  readonly text: string;
  readonly tools: readonly string[];
  readonly body: Json;
  /** Whether the model has answered it. */
  isAnswered: boolean;
}

/** The scripted model. */
export interface Model {
  readonly url: string;
  /** Every request that was part of a conversation, and not of a title or another aside. */
  readonly requests: readonly Recorded[];
  /** The first such request after the first `after` whose newest text matches. Fails after `milliseconds`. */
  asked(
    match: RegExp | ((request: Recorded) => boolean),
    options?: { readonly after?: number; readonly milliseconds?: number },
  ): Promise<Recorded>;
  release(name: string): void;
  /** Answers the next requests with this HTTP status. */
  fail(times: number, status: number): void;
}

/** What the model does with a text that has no directives, as directives. Null leaves it at that. */
type Otherwise = (text: string) => string | null;

const shellTools = ["Bash", "exec_command", "shell_command", "shell", "bash"];
const agentTools = ["Agent", "Task", "spawn_agent", "task"];

/** Starts a model that ends with the test, or with the file or `describe` that starts it for all of its tests. */
export function startModel(otherwise: Otherwise = () => null): Model {
  const requests: Recorded[] = [];
  const looking = new Set<() => void>();
  const failing = { times: 0, status: 0 };
  const held = new Map<string, PromiseWithResolvers<void>>();
  const holding = (name: string) =>
    held.get(name) ?? held.set(name, Promise.withResolvers()).get(name)!;

  async function reply(said: readonly Said[], tools: readonly string[]): Promise<Reply> {
    if (failing.times-- > 0) return { fail: failing.status };
    const scripts = said.map(({ who, text }) =>
      who === "user" ? (isScript(text) ? text : otherwise(text)) : null,
    );
    const at = scripts.findLastIndex((script) => script !== null);
    if (at < 0) return { text: "ok" };
    const step = stepsIn(scripts[at]!)[answersAfter(said, at)];
    for (const { verb, rest } of step?.waits ?? [])
      await (verb === "sleep" ? Bun.sleep(Number(rest)) : holding(rest).promise);
    return step?.act ? replyTo(step.act, tools) : { text: "done" };
  }

  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    idleTimeout: 0,
    async fetch(request) {
      const at = performance.timeOrigin + performance.now();
      const { pathname } = new URL(request.url);
      const api = apiAt(pathname);
      if (api === null || request.method !== "POST") return aside(pathname);
      const body = (await request.json()) as Json;
      const tools = toolsIn(body);
      // Titles, summaries and the like are asked for without tools.
      if (tools.length === 0) return answerOf(api, body, { text: "A title" });
      const said = conversationIn(api, body);
      const recorded = { at, ...textsOf(said), tools, body, isAnswered: false };
      requests.push(recorded);
      for (const look of looking) look();
      const answer = await reply(said, tools);
      recorded.isAnswered = answer.fail === undefined;
      return answerOf(api, body, answer);
    },
  });
  afterAll(() => server.stop(true));

  const asked: Model["asked"] = (match, { after = 0, milliseconds = 30_000 } = {}) =>
    new Promise((resolve, reject) => {
      const matches = match instanceof RegExp ? (one: Recorded) => match.test(one.newest) : match;
      let seen = after;
      const end = () => {
        looking.delete(look);
        clearTimeout(timer);
      };
      const look = () => {
        for (; seen < requests.length; seen++)
          if (matches(requests[seen]!)) {
            end();
            return resolve(requests[seen]!);
          }
      };
      const timer = setTimeout(() => {
        end();
        const newest = requests.slice(after).map((one) => one.newest.slice(-300));
        reject(new Error(`no request matched ${match}: ${JSON.stringify(newest)}`));
      }, milliseconds);
      looking.add(look);
      look();
    });
  return {
    url: `http://127.0.0.1:${server.port}`,
    requests,
    asked,
    release: (name) => holding(name).resolve(),
    fail: (times, status) => void Object.assign(failing, { times, status }),
  };
}

function textsOf(said: readonly Said[]): { newest: string; text: string } {
  const texts = said.map(({ text }) => text);
  const last = said.findLastIndex(({ who }) => who === "model");
  return { newest: texts.slice(last + 1).join("\n"), text: texts.join("\n") };
}

/** How often the model has answered since. One answer may be several items in a row. */
const answersAfter = (said: readonly Said[], at: number): number =>
  said.filter(({ who }, i) => i > at && who === "model" && said[i - 1]!.who !== "model").length;

function replyTo({ verb, rest }: Directive, tools: readonly string[]): Reply {
  if (verb === "say") return { text: rest };
  if (verb === "fail") return { fail: Number(rest) };
  if (verb === "shell") return { calls: [shellCall(tools, rest)] };
  if (verb === "shells")
    return { calls: rest.split(";;").map((command) => shellCall(tools, command.trim())) };
  if (verb === "agent") return { calls: [agentCall(tools, rest)] };
  const [, name = "", input = ""] = /^(\S+)\s*([^]*)$/.exec(rest) ?? [];
  return { calls: [{ name, input: input === "" ? {} : (JSON.parse(input) as object) }] };
}

function shellCall(tools: readonly string[], command: string): ToolCall {
  const name = shellTools.find((tool) => tools.includes(tool)) ?? "shell";
  if (name === "exec_command") return { name, input: { cmd: command } };
  if (name === "shell") return { name, input: { command: ["bash", "-lc", command] } };
  return { name, input: { command, description: "run a command" } };
}

function agentCall(tools: readonly string[], prompt: string): ToolCall {
  const name = agentTools.find((tool) => tools.includes(tool)) ?? "Agent";
  if (name === "spawn_agent") return { name, input: { message: prompt, task_name: "helper" } };
  const subagent_type = name === "task" ? "general" : "general-purpose";
  return { name, input: { description: "a helper", prompt, subagent_type } };
}

/** What harnesses ask besides the model. They go on after a 404. */
function aside(path: string): Response {
  if (path.endsWith("/count_tokens")) return Response.json({ input_tokens: 100 });
  if (path.endsWith("/models"))
    return Response.json({ data: [], models: [], object: "list", has_more: false });
  if (path === "/") return new Response("");
  const error = { type: "not_found_error", message: "not scripted" };
  return Response.json({ error }, { status: 404 });
}
