import type { Static, TSchema } from "@sinclair/typebox";
import { inboxEvents } from "./inbox-stream.ts";
import { streamEvents } from "./stream.ts";

/** The operations that answer with server-sent events, and the data of their events by name. */
export const eventsOfStreams = { stream: streamEvents, streamInbox: inboxEvents } as const;

type Events = typeof eventsOfStreams;
/** The operations that answer with server-sent events. */
export type StreamName = keyof Events;
/** The names of a stream's events. */
export type EventOf<S extends StreamName> = keyof Events[S] & string;
/** The data of a stream's event. */
export type EventDataOf<S extends StreamName, E extends EventOf<S>> = Events[S][E] extends TSchema
  ? Static<Events[S][E]>
  : never;

/** Whether an operation answers with server-sent events. */
export const isStream = (name: string): name is StreamName => Object.hasOwn(eventsOfStreams, name);
