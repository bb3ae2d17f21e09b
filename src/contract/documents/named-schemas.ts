import { Kind, type TSchema } from "@sinclair/typebox";
import * as agentLine from "../agent-line.ts";
import * as agentLocation from "../agent-location.ts";
import * as agentWork from "../agent-work.ts";
import * as ask from "../ask.ts";
import * as allowance from "../allowance.ts";
import * as attention from "../attention.ts";
import * as boards from "../boards.ts";
import * as deliveryQueue from "../delivery-queue.ts";
import { operationNamed, operationNames } from "../index.ts";
import * as file from "../file-record.ts";
import * as files from "../files.ts";
import * as invites from "../signing-in/server-invites.ts";
import * as joining from "../joining.ts";
import * as log from "../log.ts";
import * as machines from "../signing-in/machines.ts";
import * as message from "../message.ts";
import * as midturn from "../delivery-midturn.ts";
import { NextStep } from "../next-step.ts";
import * as pairingEndpoints from "../pairing/pairing-credentials.ts";
import * as pairing from "../pairing/pairing-requests.ts";
import * as people from "../people.ts";
import * as scalars from "../scalars.ts";
import * as search from "../search.ts";
import * as serverPeople from "../server-people.ts";
import * as server from "../server.ts";
import { eventsOfStreams } from "../streams.ts";
import * as tasks from "../tasks.ts";

/** The names of the contract's exported schemas by their text. Found at the first use: a server starts without them. */
const names = (): ReadonlyMap<string, string> =>
  (knownNames ??= new Map(exportedSchemas().map(([name, schema]) => [textOf(schema), name])));
let knownNames: ReadonlyMap<string, string> | undefined;

/** The name of a schema. TypeBox copies a schema that it makes optional, so the same text counts as the same schema. */
export const nameOfSchema = (schema: TSchema): string | undefined =>
  tells(schema) ? names().get(textOf(schema)) : undefined;

/** The schemas that documents name, by name in alphabetical order: those that an operation or an event holds. */
export function namedSchemas(): ReadonlyMap<string, TSchema> {
  const ops = operationNames.map(operationNamed);
  const found = new Set<string>();
  collectNames(
    ops.map(({ params, query, body, response }) => [params, query, body, response]),
    found,
  );
  collectNames([log.eventTypes, eventsOfStreams], found);
  return new Map(exportedSchemas().filter(([name]) => found.has(name)));
}

/** The exported schemas that say more than bounds, without the objects of paths. */
function exportedSchemas(): [string, TSchema][] {
  const modules = {
    ...scalars,
    ...server,
    ...people,
    ...serverPeople,
    ...invites,
    ...boards,
    ...joining,
    ...machines,
    ...message,
    ...ask,
    ...tasks,
    ...files,
    ...file,
    ...search,
    ...log,
    ...agentLine,
    ...agentLocation,
    ...midturn,
    ...deliveryQueue,
    ...agentWork,
    ...allowance,
    ...attention,
    ...pairing,
    ...pairingEndpoints,
    NextStep,
  };
  return Object.entries<unknown>(modules)
    .filter((entry): entry is [string, TSchema] => isSchema(entry[1]) && tells(entry[1]))
    .filter(([name]) => /^[A-Z]/.test(name) && !name.endsWith("Params"))
    .sort(([a], [b]) => (a < b ? -1 : 1));
}

function collectNames(part: unknown, found: Set<string>): void {
  if (typeof part !== "object" || part === null) return;
  const name = isSchema(part) ? nameOfSchema(part) : undefined;
  if (name !== undefined) found.add(name);
  for (const inner of Object.values(part)) collectNames(inner, found);
}

const textOf = (schema: TSchema): string => JSON.stringify(schema);

function isSchema(value: unknown): value is TSchema {
  return typeof value === "object" && value !== null && Kind in value;
}

function tells(schema: TSchema): boolean {
  return ["pattern", "enum", "properties", "patternProperties"].some((word) => word in schema);
}
