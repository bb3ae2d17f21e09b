import { useEffect, useRef, useState } from "preact/hooks";
import type { Message, Talk } from "../../core/talk/talk.ts";
import { askers, counted } from "./words.ts";

/** What is new is said at most this often. */
const everyMs = 5_000;

/** Says what arrives, for those who hear the page. The messages themselves are never read out. */
export function Arrivals({ talk }: { talk: Talk }) {
  const [said, setSaid] = useState("");
  const known = useRef(0);
  const waiting = useRef<readonly Message[]>([]);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useEffect(() => {
    const say = () => {
      timer.current = undefined;
      if (waiting.current.length === 0) return;
      setSaid(`${counted(waiting.current.length, "new message")}${askers(waiting.current)}`);
      waiting.current = [];
      timer.current = setTimeout(say, everyMs);
    };
    const stop = talk.messages.subscribe((messages) => {
      const newest = messages.at(-1)?.seq ?? 0;
      const isFirst = known.current === 0;
      const news = messages.filter(({ seq, sender }) => seq > known.current && sender !== "self");
      known.current = Math.max(known.current, newest);
      if (isFirst || news.length === 0) return;
      waiting.current = [...waiting.current, ...news];
      if (timer.current === undefined) say();
    });
    return () => {
      stop();
      clearTimeout(timer.current);
    };
  }, [talk]);
  return (
    <p class="vh" role="status" aria-live="polite">
      {said}
    </p>
  );
}
