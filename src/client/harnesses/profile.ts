/** What one of our hooks does. It is the word after the harness's name in `service hook <harness> <run>`. */
export type HookRun =
  | "session-start"
  | "folder-changed"
  | "bell"
  | "prompt"
  | "before-tool"
  | "after-tools"
  | "stop"
  | "failed"
  | "interrupted"
  | "end";

/** A hook that `init` writes into a harness's settings. */
export interface HookEntry {
  /** The harness's name of the event. */
  readonly event: string;
  readonly run: HookRun;
  /** The harness's own matcher of the hook's group. */
  readonly matcher?: string;
  /** Seconds, at least 1. */
  readonly timeout: number;
  /** Further fields of the entry, in the harness's own words. */
  readonly options?: Readonly<Record<string, string | number | boolean>>;
  /** The first version that runs the hook as it is written. A version before it gets no entry. */
  readonly since: string;
  /** What the person loses without it. */
  readonly without: string;
}

/** Where a file lies: below the home folder or `{config}`, and below a project. */
interface Places {
  readonly global: string;
  /** Left out for what exists for the whole user alone. */
  readonly project?: string;
}

/** What `init` writes, and `uninstall` takes away. */
export type InstallItem =
  /** A file of ours that tells agents how to use the program. */
  | ({ readonly kind: "skill" } & Places)
  /** Hooks that are merged into a settings file of the harness. */
  | ({
      readonly kind: "hooks";
      readonly missing: { readonly level: "warning" | "error"; readonly effect: string };
    } & Places)
  /** A file of ours that runs inside the harness. `source` is the name of the built-in text. */
  | ({ readonly kind: "file"; readonly source: string } & Places)
  /** A rule that lets sessions run our commands without a question. `{program}` is our absolute path, `{words}` a list of its words. */
  | {
      readonly kind: "allow-rule";
      readonly rule: string;
      /** Left out, the rule stands in `permissions.allow` of the hooks file. */
      readonly places?: Places;
      /** Why commands do not reach us without it. Left out, they do. */
      readonly required?: string;
    }
  /** A step that only the person can take. */
  | { readonly kind: "consent"; readonly text: string; readonly projectText?: string };

/** The name of a harness in doctor's checks and codes. */
export type CheckName = "claude" | "codex" | "opencode";

/** What the program knows of a harness: facts as data. What differs in kind is in the daemon's adapter. */
export interface HarnessProfile {
  /** The name in `SERVICE_SESSION` and in hook commands: `[a-z0-9][a-z0-9-]*`. */
  readonly harness: string;
  /** The name that people know. */
  readonly name: string;
  /** The program on the `PATH`. */
  readonly command: string;
  readonly checkName: CheckName;
  readonly checks: {
    readonly installed: readonly string[];
    readonly loggedIn: readonly string[];
    /** The oldest version that works. */
    readonly minVersion: string;
    /** The version that the suite runs against. */
    readonly proved: string;
  };
  /** The folder of the harness's settings: what the variable names, else `xdg` below XDG_CONFIG_HOME, else a folder below home. */
  readonly configDir: { readonly env?: string; readonly xdg?: string; readonly default: string };
  readonly marks: {
    /** Variables that mark a command of a session. */
    readonly session: readonly string[];
    /** Variables that mark a command of a sandbox. Commands that a rule lets out of it may have them too. */
    readonly sandbox: readonly string[];
    /** Sandbox variables that also mean: no network, not even this machine's own. */
    readonly noNetwork: readonly string[];
    /** How the person gets the daemon started outside the sandbox. */
    readonly sandboxFix?: string;
  };
  readonly identity: {
    /** The variable that holds the session's id. Left out, only `SERVICE_SESSION` names it. */
    readonly env?: string;
    /** The variable that holds the id of the conversation that runs the command: another id is a subagent's. */
    readonly ownEnv?: string;
    /** The variable with the path of a file whose lines the harness runs before each command. */
    readonly envFile?: string;
  };
  readonly lifecycle: {
    /** Whether a session lives as long as its process, or as the connection of our extension. */
    readonly liveness: "process" | "connection";
    /** The field of a hook's input that is set inside a subagent. */
    readonly subagentField?: string;
  };
  readonly delivery: {
    /** How an idle session is woken. */
    readonly method: "bell" | "queue" | "extension";
    /** The most bytes of a bundle that wakes a session. */
    readonly wakeBytes: number;
    /** The most bytes of a text that a hook adds to a turn. */
    readonly contextBytes: number;
    /** How many bundles in a row the end of a turn may add before the harness ends the turn itself. */
    readonly turnEndBundles: number;
    /** After so many milliseconds without a sign a session counts as idle: some turns end without any. */
    readonly silentTurnMs: number;
    readonly hooks: readonly HookEntry[];
  };
  readonly install: readonly InstallItem[];
  readonly interactive: {
    readonly start: readonly string[];
    readonly resume: readonly string[];
  };
  /** What the fields do not say. */
  readonly notes: readonly string[];
}
