import { eventsOfStreams, type EventOf, type StreamName } from "../streams.ts";
import { streamEventTexts } from "./texts.ts";

/** What the documents say about a stream. */
interface StreamText<S extends StreamName> {
  /** Begins the names of its events in documents. */
  readonly prefix: string;
  readonly title: string;
  readonly about: string;
  readonly events: Record<EventOf<S>, string>;
}

const texts: { readonly [S in StreamName]: StreamText<S> } = {
  stream: {
    prefix: "stream",
    title: "The stream",
    about: "None carries a message's content.",
    events: streamEventTexts,
  },
  streamInbox: {
    prefix: "inbox",
    title: "The stream of an inbox",
    about: "An id is the position to go on from.",
    events: {
      ready:
        "The first event: where the agent and its board stand as the stream opens. Under another `generation` than before, the server was restored from a backup: a log may end before positions that you keep.",
      messages:
        "The next messages, oldest first. `more` says that others wait already. Fields that belong to the agent are there only if they have changed since the last event.",
      read: "The agent's read position moved, by whichever client.",
      mode: "The delivery mode or the mid-turn policy changed.",
      board: "The board was archived, restored or given another title.",
      end: "The last event: `code` is the error that the next request gets. None is sent when the server stops or the reader takes nothing.",
    },
  },
};

/** Every stream with its events, as the documents show them. */
export const streamTexts = (Object.keys(texts) as StreamName[]).map((name) => ({
  name,
  ...(texts[name] as StreamText<StreamName>),
  schemas: eventsOfStreams[name],
}));
