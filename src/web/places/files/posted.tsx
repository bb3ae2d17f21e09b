import { useEffect, useState } from "preact/hooks";
import { api } from "../../core/connection/api.ts";
import type { ShownFile } from "../../core/files/files.ts";
import { addressOf } from "../../core/screen/router.ts";
import { shortened } from "../../core/screen/words.ts";
import type { Message } from "../../core/talk/talk.ts";
import { whenOf } from "../../core/screen/time.ts";
import { Name, visible } from "../../parts/who.tsx";

/** The newest messages that brought the file are read for their first words. */
const mostRead = 5;
const longestWords = 90;

/** What a message begins with, in one line. */
export const firstWords = ({ body }: Message): string =>
  visible(shortened(body.trim().replace(/\s+/g, " "), longestWords));

const read = new Map<string, Message>();

/** The messages that brought a version of a file, newest first. */
export function Posted({ file: { board, posted_in } }: { file: ShownFile }) {
  const newest = [...posted_in].sort((one, other) => other.seq - one.seq);
  const known = useMessages(newest.slice(0, mostRead).map(({ message_id }) => message_id));
  if (newest.length === 0) return null;
  return (
    <section class="sect">
      <h3>Where it was posted</h3>
      <ul class="mini">
        {newest.slice(0, mostRead).map(({ message_id, seq, version }) => {
          const message = known.get(message_id);
          return (
            <li key={message_id}>
              <a href={addressOf(board, "message", seq)}>
                #{seq} {message && <Name of={message.from} />}{" "}
                <span class="muted">
                  {message && `${whenOf(message.at)}, `}version {version}
                </span>{" "}
                {message && firstWords(message)}
              </a>
            </li>
          );
        })}
      </ul>
      {newest.length > mostRead && <p class="dim">{newest.length - mostRead} more before these.</p>}
    </section>
  );
}

/** Messages by id, as they are read. What cannot be read stays a number. */
export function useMessages(ids: readonly string[]): ReadonlyMap<string, Message> {
  const [known, setKnown] = useState<ReadonlyMap<string, Message>>(read);
  useEffect(() => {
    let isCurrent = true;
    for (const message of ids.filter((id) => !read.has(id)))
      api.call("getMessage", { params: { message } }).then(
        ({ message: found }) => {
          read.set(message, found as Message);
          if (isCurrent) setKnown(new Map(read));
        },
        () => {},
      );
    return () => {
      isCurrent = false;
    };
  }, [ids.join()]);
  return known;
}
