import { asAgentOrPerson } from "../acting/acting.ts";
import { apiOf } from "../connection/api.ts";
import type { Cli } from "../frame/cli.ts";
import { actorFlags, defineCommand, type Answer } from "../frame/command.ts";
import {
  operations,
  operationNamed,
  operationNames,
  type OperationName,
} from "../../contract/index.ts";
import { usageError } from "../../client/machine/local-error.ts";
import { isStream } from "../../contract/streams.ts";
import { nearest } from "../frame/nearest.ts";
import { inputOf } from "./operation-input.ts";
import { selectServer } from "../../client/machine/servers.ts";
import { columns } from "../terminal/table.ts";

export default defineCommand({
  summary: "Call any operation of the HTTP API",
  acts: "either",
  args: {
    operation: {
      type: "positional",
      required: false,
      description: "The operation's name. Leave it out to list all operations.",
    },
    values: {
      type: "positional",
      required: false,
      multiple: true,
      valueHint: "name=value",
      description: "Parts of path, query and body; a value may be JSON.",
    },
    body: {
      type: "string",
      valueHint: "JSON",
      description: "The whole body; `-` reads it from standard input.",
    },
    ...actorFlags,
  },
  details: "Calls any operation of the HTTP API and prints its answer.",
  examples: [
    ["api getMe", "Who you are."],
    [
      "api listMessages board=docs newest=true limit=3 --as claude",
      "The newest messages that claude may read.",
    ],
    ['api createBoard --body \'{"name":"docs"}\'', "A body as JSON."],
  ],
  async run({ args, data: cli }) {
    if (args.operation === undefined) return list();
    const name = operationOf(args.operation);
    const { shape } = operationNamed(name);
    if (shape === "upload" || shape === "download") throw movesBytes(name);
    const input = await inputOf(cli.stdin, operationNamed(name), args.values, args.body);
    const api = await apiFor(cli, name, args);
    if (!isStream(name)) {
      const answer = (await api.call(name, input)) as object;
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

const movesBytes = (name: OperationName) =>
  usageError(
    `${name} moves bytes, not JSON.`,
    "`service file put PATH` writes a file of a board, and `service file get NAME` fetches one.",
  );

/** An operation for anyone is called without a credential. */
async function apiFor(cli: Cli, name: OperationName, flags: { server?: string | undefined }) {
  if (operationNamed(name).access !== "anyone") return (await asAgentOrPerson(cli, flags)).api;
  return apiOf(cli, selectServer(cli, flags.server));
}

function list(): Answer {
  const all = operationNames.map((name) => {
    const { method, path, summary } = operationNamed(name);
    return { name, method, path, summary };
  });
  const rows = all.map(({ name, method, path, summary }) => [name, `${method} ${path}`, summary]);
  return { json: { operations: all }, text: columns(rows) };
}
