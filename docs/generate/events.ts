import type { TSchema } from "@sinclair/typebox";
import { eventTypes } from "../../src/contract/log.ts";
import { streamTexts } from "../../src/contract/documents/stream-texts.ts";
import { eventTexts } from "../../src/contract/documents/texts.ts";
import { fieldsOf } from "../../src/contract/documents/readable-schema.ts";
import { fieldList, heading, linked, paragraphs } from "./markdown.ts";

const records = "operations.md";

/** The events of a board's log and of the streams, with their data. */
export const eventsText = (): string =>
  `${paragraphs(
    heading(
      "Events",
      linked(
        "A board's log is a chain of [[EventEnvelope]] records, read with [[listEvents]]. The [[stream]] tells that something is new.",
        records,
      ),
    ),
    "## The log",
    "`data` of each type. Null and absent are different: both are part of what is hashed.",
    ...sections(eventTypes(), eventTexts),
    ...streamTexts.flatMap(({ name, title, about, schemas, events }) => [
      `## ${title}`,
      linked(`Data of each event of [[${name}]]. ${about}`, records),
      ...sections(schemas, events),
    ]),
  )}\n`;

const sections = (
  events: Readonly<Record<string, TSchema>>,
  texts: Readonly<Record<string, string>>,
): string[] =>
  Object.entries(events).map(([name, schema]) =>
    paragraphs(`### ${name}`, texts[name], fieldList(fieldsOf(schema), records)),
  );
