import type { TSchema } from "@sinclair/typebox";
import { eventTypes } from "../../src/contract/log.ts";
import { streamEvents } from "../../src/contract/stream.ts";
import { eventTexts, streamEventTexts } from "../../src/contract/documents/texts.ts";
import { fieldsOf } from "../../src/server/http/documents/reference-page-fields.ts";
import { fieldList, heading, linked, paragraphs } from "./markdown.ts";

const records = "operations.md";

/** The events of a board's log and of the stream, with their data. */
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
    ...sections(eventTypes, eventTexts),
    "## The stream",
    "Data of each event. None carries a message's content.",
    ...sections(streamEvents, streamEventTexts),
  )}\n`;

const sections = (
  events: Readonly<Record<string, TSchema>>,
  texts: Readonly<Record<string, string>>,
): string[] =>
  Object.entries(events).map(([name, schema]) =>
    paragraphs(`### ${name}`, texts[name], fieldList(fieldsOf(schema), records)),
  );
