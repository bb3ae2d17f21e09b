import type { TSchema } from "@sinclair/typebox";
import { eventTypes, type EventType } from "../../contract/log.ts";
import { idForm } from "../../contract/forms.ts";

/** The kinds of things that events name by their ids, by the prefix of the id. */
export type IdKind = "mem" | "hum" | "msg" | "tsk" | "fil" | "jc";
const kinds: readonly IdKind[] = ["mem", "hum", "msg", "tsk", "fil", "jc"];
const kindOf = new Map(kinds.map((kind) => [idForm(kind), kind]));

interface NamedId {
  readonly kind: IdKind;
  readonly id: string;
  /** The property of the data in which it is. */
  readonly field: string;
}
type Find = (value: unknown, field: string) => NamedId[];

/** Every id that the data of an event names. It is found by the schema, so that texts are never taken for ids. */
export function namedIds(type: EventType, data: object): NamedId[] {
  const find = (finders[type] ??= finderOf(eventTypes()[type]));
  return find(data, "");
}

/** Each is made when it is first needed: no start of a server needs one. */
const finders: Partial<Record<EventType, Find>> = {};

function finderOf(schema: TSchema): Find {
  const kind = kindOf.get(schema["pattern"] as string);
  if (kind) return (id, field) => (typeof id === "string" ? [{ kind, id, field }] : []);
  if (schema["anyOf"]) {
    const forms = (schema["anyOf"] as TSchema[]).map(finderOf);
    return (value, field) => forms.flatMap((find) => find(value, field));
  }
  if (schema["items"]) {
    const find = finderOf(schema["items"] as TSchema);
    return (list, field) => (Array.isArray(list) ? list.flatMap((one) => find(one, field)) : []);
  }
  if (!schema["properties"]) return () => [];
  const parts = Object.entries(schema["properties"] as Record<string, TSchema>).map(
    ([name, part]) => [name, finderOf(part)] as const,
  );
  return (value, field) =>
    typeof value === "object" && value !== null
      ? parts.flatMap(([name, find]) =>
          find((value as Record<string, unknown>)[name], field || name),
        )
      : [];
}
