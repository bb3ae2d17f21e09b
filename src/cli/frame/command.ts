/*
 * How a command is declared
 *
 * 1. Write `<noun>/<name>.ts` beside what it needs (`board new` is `boards/board-new.ts`):
 *
 *      export default defineCommand({
 *        summary: "Post a message",                // the line of `service help`
 *        acts: "agent",                            // whose command it is: see Acts
 *        args: {                                   // citty's definitions; camelCase becomes --kebab-case
 *          message: { type: "positional", description: "The message." },
 *          to: { type: "string", multiple: true, valueHint: "TARGET", description: "Who gets it." },
 *          ...agentFlags,                          // --as and --board; see also actorFlags, serverFlag, boardFlags, yesFlag
 *        },
 *        async run({ args, data: cli }) {
 *          const { api, board } = asAgent(cli, args);
 *          const { messages } = await api.call("listMessages", { params: { board } });
 *          return { json: { board, messages }, text: counted(messages.length, "message", "messages") };
 *        },
 *      });
 *
 * 2. Add its line to its group in `commands.ts`: the name and how it is loaded. Help, completion and suggestions follow.
 *
 * The frame parses strictly (unknown flag, missing value, flag given twice, extra word: exit code 2), adds `--json`
 * and `--help`, refuses what a session or a subagent may not run, prints the answer as text or as JSON, prints every
 * refusal in one shape, and ends with its exit code.
 *
 * A command uses:
 *   acting.ts     asAgent, asPerson, asAgentOrPerson, boardOf: whose credential, which server, which board
 *   place-of.ts   placeOf, agentPlaceOf: all of these at once, for a command that names a task
 *   speaker.ts    speakingPlace: the same for a command with which agents talk, and people too
 *   api.call()    the typed client: Idempotency-Key, one retry, the local server started on demand
 *   local-error.ts LocalError (exit 1) and usageError (exit 2); the server's ApiError is left to pass
 *   values.ts     integer, duration, handle: values of flags, refused as usage errors
 *   questions.ts  confirmed, wordTyped, askFor: asked only where somebody can answer
 *   style.ts      bold, dim, …: colour only where it is allowed; table.ts: columns
 *   clean.ts      oneLine keeps a member's name or title on its line. All text is cleaned of terminal sequences when
 *                 it is printed, so a command need not do it
 *   cli.typed()   a command as it can be typed here; in the texts of errors write it in backticks: `service boards`
 *   suggest.ts    the same with flags: typedWith here, hintedWith in backticks; words`…` quotes values for a shell
 *   cli.print()   an object or a text now, for a command that goes on; cli.note(): a line on stderr
 */
import { defineCommand as define, type ArgDef, type CommandDef } from "citty";
import type { Cli } from "./cli.ts";

/**
 * Who may run a command.
 * - `neutral`: anybody, anywhere
 * - `agent`: the agent chosen by --as, SERVICE_AGENT
 * - `either`: that agent when one is chosen, else the person; inside a session only the agent
 * - `speaker`: that agent; in a terminal also the person, with `--me` or when no seat here could be meant. A person's
 *   command when `--me` is given
 * - `person`: a person's own, refused inside a harness session and when an agent is chosen
 * - `session`: of a session through the daemon, and of the person in a terminal
 */
export type Acts = "neutral" | "agent" | "either" | "speaker" | "person" | "session";

/**
 * citty's definition of an argument. `multiple`: a flag may be repeated, a last positional takes the remaining words.
 * `options`: the values there are, for a positional too.
 */
export type Arg = ArgDef & {
  readonly description: string;
  readonly multiple?: true;
  /** A text that is typed as one argument: several words are refused with the quotes that they need. */
  readonly quoted?: true;
  readonly options?: readonly string[];
};
export type Args = Record<string, Arg>;

type Value<D> = D extends { type: "boolean" }
  ? boolean
  : D extends { multiple: true }
    ? string[]
    : D extends { required: false }
      ? Word<D> | undefined
      : D extends { type: "positional" } | { required: true } | { default: string }
        ? Word<D>
        : Word<D> | undefined;
type Word<D> = D extends { options: readonly (infer O)[] } ? O : string;

/** The parsed values of a definition: booleans for switches, lists for repeatable arguments, else a text or undefined. */
export type Parsed<A extends Args> = { [N in keyof A]: Value<A[N]> };

/** A command's answer: the object that `--json` prints, its text, and exit code 3 when a check has failed. */
export interface Answer {
  readonly json: object;
  readonly text: string;
  readonly exitCode?: 0 | 3;
}

/** A command as the frame sees it. */
export interface AnyCommand {
  /** The line in the index of `service help`: a sentence without its full stop. */
  readonly summary: string;
  readonly acts: Acts | ((args: never) => Acts);
  /** Whether it may run in a subagent of a session. The default is no. */
  readonly inSubagent?: boolean | ((args: never) => boolean);
  readonly args?: Args;
  /** True for a command that starts neither the server nor the daemon. */
  readonly startsNothing?: true;
  /** True for a command without JSON, which runs until it is stopped. */
  readonly noJson?: true;
  /** Text that help adds to the summary and the flags. */
  readonly details?: string;
  /** Command lines without the leading `service`, each with its effect. */
  readonly examples?: readonly (readonly [command: string, text: string])[];
  readonly seeAlso?: readonly string[];
  /** Help on what further words name, such as an operation; null if they name nothing. */
  readonly helpOn?: (words: readonly string[]) => Answer | null;
  run(context: { args: never; data: Cli }): Answer | void | Promise<Answer | void>;
}

/** A citty command whose arguments are strict and whose run gets the invocation as `data`. */
export interface Command<A extends Args> extends AnyCommand {
  readonly acts: Acts | ((args: Parsed<A>) => Acts);
  readonly inSubagent?: boolean | ((args: Parsed<A>) => boolean);
  readonly args?: A;
  run(context: { args: Parsed<A>; data: Cli }): Answer | void | Promise<Answer | void>;
}

/** Declares a command. */
export function defineCommand<const A extends Args = {}>(command: Command<A>): Command<A> {
  return define(command as unknown as CommandDef) as unknown as Command<A>;
}

/** The flags of every command that acts as an agent. */
export const agentFlags = {
  as: {
    type: "string",
    valueHint: "NAME",
    description:
      "Act as this agent of yours, by name or id (else SERVICE_AGENT, the session's own).",
  },
  board: {
    type: "string",
    valueHint: "BOARD",
    description: "The board (else SERVICE_BOARD, the agent's, your only one).",
  },
} as const satisfies Args;

/** The flag of every command that acts as a person. */
export const serverFlag = {
  server: {
    type: "string",
    valueHint: "URL",
    description: "The server, or `local` (else SERVICE_SERVER, the saved one).",
  },
} as const satisfies Args;

/** The flags of a command that acts as an agent or as the person. */
export const actorFlags = { ...agentFlags, ...serverFlag } as const satisfies Args;

/** The flags of a command with which agents talk, and people too. `admitHere` refuses `--me` where only an agent may act. */
export const speakerFlags = {
  ...actorFlags,
  me: { type: "boolean", description: "Act as yourself, in a terminal." },
} as const satisfies Args;

/** The flags of a person's command about one board. */
export const boardFlags = { board: agentFlags.board, ...serverFlag } as const satisfies Args;

/** The flag that answers a question in advance. */
export const yesFlag = {
  yes: { type: "boolean", description: "Do not ask." },
} as const satisfies Args;
