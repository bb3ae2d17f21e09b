import { useEffect, useState } from "preact/hooks";
import { catchingUp, connection, tryNow } from "../../core/connection/live.ts";
import { ended } from "../../core/connection/session.ts";
import { timeOf } from "../../core/screen/time.ts";
import { Icon } from "../icon.tsx";

/** A connection that is back sooner than this was not worth a word. */
const patienceMs = 1_000;

/** What holds for the whole page: that it is signed out, not connected, or not up to date yet. */
export function Strips() {
  const { value } = connection;
  const isLost = value.state === "lost";
  const [isLong, setLong] = useState(false);
  useEffect(() => {
    if (!isLost) return setLong(false);
    const timer = setTimeout(() => setLong(true), patienceMs);
    return () => clearTimeout(timer);
  }, [isLost]);
  const since = catchingUp.value?.since;
  return (
    <div class="strips">
      <div role="alert">{ended.value && <SignedOut why={ended.value} />}</div>
      <div role="status">
        {!ended.value && value.state === "lost" && isLong && <Offline since={value.since} />}
        {since && Date.now() - since.getTime() > patienceMs && (
          <div class="strip">
            <span class="spin" aria-hidden="true" />
            <span>Connected again. Fetching what came {spanSince(since)}…</span>
          </div>
        )}
      </div>
    </div>
  );
}

const Offline = ({ since }: { since: Date }) => (
  <div class="strip off">
    <Icon name="cut" />
    <span>
      <b>Not connected since {timeOf(since.toISOString())}.</b> You see what was here then. What you
      write waits, and is sent once.
    </span>
    <span class="end">
      <button class="b" type="button" onClick={tryNow}>
        Try now
      </button>
    </span>
  </div>
);

const reasons = {
  over: "This session’s time is over.",
  revoked: "The key that started this session was revoked, or the session was ended elsewhere.",
} as const;

const SignedOut = ({ why }: { why: keyof typeof reasons }) => (
  <div class="strip off">
    <Icon name="key" />
    <span>
      <b>Signed out.</b> {reasons[why]} What you wrote is kept.
    </span>
    <span class="end">
      <a class="b" href="/sign-in">
        Sign in
      </a>
    </span>
  </div>
);

/** How long something lasted until now: `in 14 minutes`. */
function spanSince(since: Date): string {
  const minutes = Math.round((Date.now() - since.getTime()) / 60_000);
  if (minutes < 1) return "meanwhile";
  if (minutes === 1) return "in 1 minute";
  return minutes < 120 ? `in ${minutes} minutes` : `in ${Math.round(minutes / 60)} hours`;
}
