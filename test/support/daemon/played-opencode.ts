/** A message as opencode keeps it, as far as our plugin reads it. */
interface Stored {
  info: {
    readonly id: string;
    readonly sessionID: string;
    readonly role: "user" | "assistant";
    readonly parentID?: string;
    readonly finish?: string;
    readonly error?: { readonly name: string };
    readonly time: { readonly completed?: number };
  };
  readonly text: string;
}

interface Prompt {
  readonly path: { readonly id: string };
  readonly body: {
    readonly messageID: string;
    readonly agent?: string;
    readonly model?: { readonly providerID: string; readonly modelID: string };
    readonly parts: readonly { readonly text: string }[];
  };
}

/** The hooks of the plugin that the played opencode calls. */
interface Hooks {
  event(given: { event: { type: string; properties: object } }): Promise<void>;
  dispose(): Promise<void>;
  "experimental.chat.messages.transform"(given: object, output: object): Promise<void>;
  "tool.execute.after"(given: object, output: { output: string }): Promise<void>;
  "shell.env"(given: object, output: { env: Record<string, string> }): Promise<void>;
}

/** One session of opencode with one process at a time. What it has stored outlives its processes. */
export function playedOpencode(sessionID: string) {
  const messages: Stored[] = [];
  const [read, answered]: [string[], string[]] = [[], []];
  const state = { hooks: null as Hooks | null, turn: "none" as "none" | "typed" | "woken" };
  /** What the model call under way has read, the last user message that it had, and whether the next prompt is lost. */
  const call = { fresh: [] as string[], parent: "", isMade: false, loses: false };
  /** Every prompt that a plugin gave. */
  const prompts: Prompt["body"][] = [];
  let ids = 0;

  const tell = async (type: string, properties: object) =>
    state.hooks?.event({ event: { type, properties } });
  const status = (type: "busy" | "idle") => tell("session.status", { sessionID, status: { type } });
  const isAnswer = ({ info }: Stored) => info.role === "assistant" && info.finish !== undefined;

  /** The texts of users that no answer follows. */
  function unanswered(): Stored[] {
    const parents = messages.filter(isAnswer).map(({ info }) => info.parentID);
    const last = messages.findLastIndex(({ info }) => parents.includes(info.id));
    return messages.filter(({ info }, at) => at > last && info.role === "user");
  }

  async function askModel(): Promise<void> {
    await state.hooks?.["experimental.chat.messages.transform"]({}, { messages });
    const waiting = unanswered();
    call.fresh = waiting.flatMap(({ text }) => (text.includes("[service hnd_") ? [text] : []));
    call.parent = waiting.at(-1)?.info.id ?? call.parent;
    read.push(...call.fresh);
    call.isMade = true;
  }
  async function begin(turn: "typed" | "woken"): Promise<void> {
    state.turn = turn;
    await status("busy");
    await askModel();
  }
  /** The model call under way ends with this. */
  async function say(finish: "stop" | "tool-calls"): Promise<void> {
    answered.push(...call.fresh.splice(0));
    const time = { completed: 1 };
    const info = { id: `a${++ids}`, sessionID, role: "assistant", time } as const;
    const own = { info: { ...info, parentID: call.parent, finish }, text: "" };
    messages.push(own);
    await tell("message.updated", { info: own.info });
  }
  async function end(): Promise<void> {
    Object.assign(call, { isMade: false, fresh: [] });
    state.turn = "none";
    await status("idle");
  }

  /** Stores a prompt: one with an id that is there takes its place, at the end. */
  async function store(id: string, text: string): Promise<void> {
    const known = messages.findIndex(({ info }) => info.id === id);
    if (known >= 0) messages.splice(known, 1);
    messages.push({ info: { id, sessionID, role: "user", time: {} }, text });
    await tell("message.part.updated", { part: { messageID: id } });
  }

  const session = {
    get: async ({ path: { id } }: Pick<Prompt, "path">) =>
      id === sessionID
        ? { data: { id, agent: "plan", model: { providerID: "lab", id: "one" } } }
        : { data: { id, parentID: sessionID } },
    list: async () => ({ data: [] }),
    messages: async () => ({ data: messages.map(({ info }) => ({ info })) }),
    async promptAsync({ body }: Prompt) {
      prompts.push(body);
      if (call.loses) {
        call.loses = false;
        return { error: { name: "Lost" } };
      }
      const { messageID, parts } = body;
      await store(messageID, parts.map(({ text }) => text).join(""));
      if (state.turn === "none") setImmediate(() => void begin("woken"));
      return { data: {} };
    },
  };

  return {
    read,
    answered,
    prompts,
    hooks: () => state.hooks!,
    /** Something of the last answer changes. */
    async touchAnswer(): Promise<void> {
      await tell("message.updated", { info: messages.findLast(isAnswer)!.info });
    },
    /** Starts a process with the plugin of this file, and runs a command of the session. */
    async start(file: string): Promise<void> {
      const { ServicePlugin } = (await import(file)) as {
        ServicePlugin(given: object): Promise<Hooks>;
      };
      state.hooks = await ServicePlugin({ client: { session } });
      await state.hooks["shell.env"]({ sessionID }, { env: {} });
    },
    async quit(): Promise<void> {
      const { hooks } = state;
      state.hooks = null;
      Object.assign(call, { isMade: false, fresh: [] });
      state.turn = "none";
      await hooks?.dispose();
    },
    async type(text: string): Promise<void> {
      await store(`u${++ids}`, text);
      await begin("typed");
    },
    async tool(): Promise<void> {
      await say("tool-calls");
      await state.hooks?.["tool.execute.after"]({ sessionID, tool: "bash" }, { output: "" });
      await askModel();
    },
    /** The model ends the turn. What came meanwhile makes one more call of it before that. */
    async answer(): Promise<void> {
      await say("stop");
      while (unanswered().length > 0) {
        await askModel();
        await say("stop");
      }
      await end();
    },
    async fail(): Promise<void> {
      const error = { name: "APIError" };
      const info = { id: `a${++ids}`, sessionID, role: "assistant", time: {}, error } as const;
      messages.push({ info, text: "" });
      await tell("message.updated", { info });
      await end();
    },
    loseNext: () => void (call.loses = true),
    isBusy: () => state.turn !== "none",
    isWoken: () => state.turn === "woken" && call.isMade,
  };
}

export type PlayedOpencode = ReturnType<typeof playedOpencode>;
