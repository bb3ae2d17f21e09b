import type { TObject, TProperties, TSchema } from "@sinclair/typebox";
import { refuse } from "../contract/refusal.ts";
import { closed, oneOf, t } from "../contract/schema.ts";
import { demand } from "../contract/validate.ts";
import type { Caller } from "./caller.ts";

/** The answer of a tool: compact text for a model, and the same for programs. */
export interface Told {
  readonly text: string;
  readonly data: object;
}

/** A tool as the protocol lists it. */
export interface ListedTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: { readonly type: "object" };
}

/** One tool. */
export interface Tool {
  readonly listed: ListedTool;
  /** Answers a call. Refuses arguments that do not fit before it makes an operation. */
  run(caller: Caller, args: unknown): Promise<Told>;
}

/** One thing that a tool does: the arguments that it needs, those that it takes besides, and how it is done. */
interface Action<A> {
  readonly needs?: readonly (keyof A & string)[];
  readonly takes?: readonly (keyof A & string)[];
  run(caller: Caller, args: A): Promise<Told>;
}

/** The value of an argument. Which ones are there is checked by the action that is done. */
type Values<P extends TProperties> = { [K in keyof P]?: P[K]["static"] };

/** An argument with the contract's schema, and a note for the model that chooses it. */
export const arg = <S extends TSchema>(schema: S, note?: string) =>
  t.Optional({ ...schema, ...(note && { note }) } as S);

/** Declares a tool that does one thing. */
export function tool<P extends TProperties>(
  name: string,
  description: string,
  properties: P,
  action: Action<Values<P>>,
): Tool {
  const required = action.needs ?? [];
  const schema: TObject = closed<TProperties>(properties);
  return {
    listed: listedAs(name, description, schema, required),
    async run(caller, args) {
      demand(schema, args, "the arguments");
      const values = args as Values<P>;
      requireAll(values, required);
      return action.run(caller, values);
    },
  };
}

/** Declares a tool that does one of several things: its argument `do` says which. */
export function toolOf<P extends TProperties>(
  name: string,
  description: string,
  properties: P,
  actions: Readonly<Record<string, Action<Values<P>>>>,
): Tool {
  const names = Object.keys(actions);
  const schema: TObject = closed<TProperties>({ do: t.Optional(oneOf(...names)), ...properties });
  return {
    listed: listedAs(name, description, schema, ["do"]),
    async run(caller, args) {
      demand(schema, args, "the arguments");
      const { do: chosen, ...values } = args as { do?: string };
      if (chosen === undefined)
        throw refuse("invalid_request", { problem: `do must be one of ${names.join(", ")}` });
      const action = actions[chosen]!;
      const { needs = [], takes = [] } = action;
      requireAll(values, needs, ` for do: ${chosen}`);
      const other = Object.keys(values).find((key) => ![...needs, ...takes].includes(key));
      if (other)
        throw refuse("invalid_request", { problem: `${other} is no argument of do: ${chosen}` });
      return action.run(caller, values as Values<P>);
    },
  };
}

function requireAll(values: object, needs: readonly string[], why = ""): void {
  const missing = needs.find((key) => (values as Record<string, unknown>)[key] === undefined);
  if (missing) throw refuse("invalid_request", { problem: `${missing} is missing${why}` });
}

function listedAs(
  name: string,
  description: string,
  { properties }: TObject,
  required: readonly string[],
): ListedTool {
  const shown = Object.entries(properties).map(([key, schema]) => [key, shownSchema(schema)]);
  const inputSchema = {
    type: "object" as const,
    properties: Object.fromEntries(shown) as object,
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  };
  return { name, description, inputSchema };
}

const shownWords = ["type", "enum", "minimum", "maximum", "maxItems"] as const;
const greatestWritten = 1_000_000;

/**
 * A schema as a model needs it: the type, the choices and the small bounds. The whole schema is checked all the same, and its
 * refusals say what a value must be; in the list each word would be paid for in every turn.
 */
function shownSchema(schema: TSchema): object {
  const kept = shownWords.flatMap((word) => {
    const value = schema[word] as unknown;
    const isTrivial = typeof value === "number" && (value === 0 || value > greatestWritten);
    return value === undefined || isTrivial ? [] : [[word, value]];
  });
  const items = schema["items"] as TSchema | undefined;
  const properties = schema["properties"] as TProperties | undefined;
  return {
    ...Object.fromEntries(kept),
    ...(items && { items: shownSchema(items) }),
    ...(properties && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([key, inner]) => [key, shownSchema(inner)]),
      ) as object,
      ...(schema["required"] !== undefined && { required: schema["required"] as string[] }),
    }),
    ...(typeof schema["note"] === "string" && { description: schema["note"] }),
  };
}
