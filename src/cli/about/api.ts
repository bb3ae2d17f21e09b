import { readFileSync } from "node:fs";
import { asAgentOrPerson, isAgents, selectSeat, type ActorFlags } from "../acting/acting.ts";
import { ApiError } from "../../client/client.ts";
import { apiOf, type Api } from "../connection/api.ts";
import { toSend } from "../files/local-file.ts";
import { operationHelp } from "./operation-help.ts";
import { isMethod, rawCall } from "./raw-call.ts";
import type { Cli } from "../frame/cli.ts";
import { actorFlags, defineCommand, type Answer } from "../frame/command.ts";
import {
  operations,
  operationNamed,
  operationNames,
  type OperationName,
} from "../../contract/index.ts";
import { movesBytes } from "../../contract/operation.ts";
import { largestBody } from "../../contract/limits.ts";
import { pipedIn } from "../frame/text-input.ts";
import { LocalError, usageError } from "../../client/machine/local-error.ts";
import { isStream } from "../../contract/streams.ts";
import { nearest } from "../frame/nearest.ts";
import { inputOf } from "./operation-input.ts";
import { selectServer } from "../../client/machine/servers.ts";
import { columns } from "../terminal/table.ts";

export default defineCommand({
  helpOn: ([word]) =>
    word !== undefined && word in operations ? operationHelp(word as OperationName) : null,
  summary: "Call any operation of the HTTP API",
  acts: "either",
  args: {
    operation: {
      type: "positional",
      required: false,
      description: "The operation's name, or its method. Leave it out to list all operations.",
    },
    values: {
      type: "positional",
      required: false,
      multiple: true,
      valueHint: "name=value",
      description:
        "Parts of path, query and body; a value may be JSON. After a method first the path, such as `/v1/me`.",
    },
    field: {
      type: "string",
      multiple: true,
      valueHint: "name=value",
      description: "Such a part as a flag; may be given several times.",
    },
    input: {
      type: "string",
      valueHint: "FILE",
      description: "The whole body, from a file; `-` reads it from standard input.",
    },
    body: {
      type: "string",
      valueHint: "JSON",
      description: "The whole body; `-` reads it from standard input.",
    },
    ...actorFlags,
  },
  details:
    "Calls any operation of the HTTP API, by its name or by method and path, and prints its answer. The credential goes to the chosen server alone. `service help api NAME` explains an operation.",
  examples: [
    ["api getMe", "Who you are."],
    ["api GET /v1/me", "The same, by method and path."],
    ["api POST /v1/boards --field name=docs", "A body from fields."],
    [
      "api listMessages board=docs newest=true limit=3 --as claude",
      "The newest messages that claude may read.",
    ],
    ['api createBoard --body \'{"name":"docs"}\'', "A body as JSON."],
  ],
  async run({ args, data: cli }) {
    if (args.operation === undefined) return list();
    const raw = isMethod(args.operation) ? rawCall(args.operation, args.values[0]) : null;
    const name = raw?.name ?? operationOf(args.operation);
    const values = raw ? [...raw.values, ...args.values.slice(1)] : args.values;
    if (movesBytes(operationNamed(name))) throw refusedForBytes(name);
    const input = await inputOf(
      operationNamed(name),
      [...values, ...args.field],
      await wholeBody(cli, args),
      boardMeant(cli, name, args),
    );
    const api = await apiFor(cli, name, args);
    if (!isStream(name)) {
      const answer = (await api.call(name, input).catch((error: unknown) => {
        throw withFieldsHint(error, name);
      })) as object;
      return { json: answer, text: JSON.stringify(answer, null, 2) };
    }
    for await (const event of api.follow(name, input)) await cli.print(event);
    return undefined;
  },
});

function operationOf(word: string): OperationName {
  if (word in operations) return word as OperationName;
  const guess = nearest(word, operationNames);
  throw usageError(
    `There is no operation ${word}.`,
    guess ? `Did you mean \`service api ${guess}\`?` : "`service api` lists them.",
  );
}

const refusedForBytes = (name: OperationName) =>
  usageError(
    `${name} moves bytes, not JSON.`,
    name.endsWith("Board")
      ? "`service board export BOARD` writes the archive of a board, and `service board import FILE` makes a board of one."
      : "`service file put PATH` writes a file of a board, and `service file get NAME` fetches one.",
  );

/** An operation for anyone is called without a credential. */
async function apiFor(cli: Cli, name: OperationName, flags: ActorFlags): Promise<Api> {
  if (operationNamed(name).access !== "anyone") return (await asAgentOrPerson(cli, flags)).api;
  return apiOf(cli, selectServer(cli, flags.server));
}

/** The board that a path means which leaves it out: the agent's own, or what `--board` or SERVICE_BOARD names. */
function boardMeant(cli: Cli, name: OperationName, flags: ActorFlags): string | undefined {
  const isForAgent = operationNamed(name).access !== "anyone" && isAgents(cli, flags);
  return isForAgent ? selectSeat(cli, flags).board : (flags.board ?? cli.env["SERVICE_BOARD"]);
}

/** The body that is given whole, as text. */
async function wholeBody(
  { stdin, cwd }: Cli,
  { body, input }: { readonly body?: string | undefined; readonly input?: string | undefined },
): Promise<string | undefined> {
  if (body !== undefined && input !== undefined)
    throw usageError("`--body` and `--input` both give the body.", "Leave out one of them.");
  if (body === "-" || input === "-") return bodyIn(stdin);
  return input === undefined ? body : readFileSync(toSend(cwd, input), "utf8");
}

async function bodyIn(stdin: Cli["stdin"]): Promise<string> {
  const bytes = await pipedIn(stdin, largestBody);
  if (bytes !== null) return new TextDecoder().decode(bytes);
  throw new LocalError(
    "message_too_large",
    `The body is too large: at most ${largestBody} bytes.`,
    "Send less at once. `service file put` writes a file of any size up to 50 MiB.",
  );
}

/** A request that does not have the operation's form leads to the list of its fields. */
const withFieldsHint = (error: unknown, name: OperationName): unknown =>
  error instanceof ApiError && error.code === "invalid_request"
    ? error.withHint(`\`service help api ${name}\` lists its fields.`)
    : error;

function list(): Answer {
  const all = operationNames.map((name) => {
    const { method, path, summary } = operationNamed(name);
    return { name, method, path, summary };
  });
  const rows = all.map(({ name, method, path, summary }) => [name, `${method} ${path}`, summary]);
  return { json: { operations: all }, text: columns(rows) };
}
