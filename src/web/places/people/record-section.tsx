import { boardNamed } from "../../core/boards/overview.ts";
import { recordOf, type BoardRecord, type Found } from "../../core/boards/record.ts";
import { session } from "../../core/connection/session.ts";
import type { BoardInfo } from "../../core/boards/board.ts";
import { dayOf, daysAgo, timeOf } from "../../core/screen/time.ts";
import { counted } from "../../core/screen/words.ts";
import { CopyLine } from "../../parts/copy-line.tsx";
import { Icon } from "../../parts/icon.tsx";
import { sentenceOf } from "../../parts/problem.tsx";
import { visible } from "../../parts/who.tsx";

/** The board's record: every event, chained by hashes that this browser computes itself. */
export function RecordSection({ info }: { info: BoardInfo }) {
  const record = recordOf(session.value!.person.id, info.name, info.id);
  const found = record.found.value;
  // The overview hears of every event; the board itself is read again only when it changes.
  const headSeq = Math.max(info.head_seq, boardNamed(info.name)?.head_seq ?? 0);
  return (
    <section class="sect2" aria-labelledby="record">
      <div class="h-row">
        <h2 id="record">The record</h2>
        <span class="end inl">
          <Buttons found={found} record={record} />
        </span>
      </div>
      <div role="status">
        <Said found={found} headSeq={headSeq} />
      </div>
      {found.state === "restored" && <Restored {...found} />}
      {"chain" in found && <KeptHead {...found.chain} />}
      {found.state === "unchecked" && (
        <p class="hint">
          Every event has a hash that covers the event before it. This browser computes all of them
          anew, and keeps the last one to compare the next time.
        </p>
      )}
    </section>
  );
}

function Buttons({ found: { state }, record }: { found: Found; record: BoardRecord }) {
  if (state === "checking")
    return (
      <button class="b" type="button" onClick={record.stop}>
        Stop
      </button>
    );
  const isFirst = state === "unchecked" || state === "failed";
  return (
    <>
      {!isFirst && (
        <button class="b q" type="button" onClick={() => void record.check(true)}>
          Check all of it
        </button>
      )}
      <button class="b" type="button" onClick={() => void record.check(state === "broken")}>
        {isFirst ? "Check it" : "Check again"}
      </button>
    </>
  );
}

/** A time with its day, as the end of a sentence: `14:20 today`. */
function dayAndTime(at: string): string {
  const day = dayOf(at);
  return `${timeOf(at)} ${daysAgo(at) < 2 ? day.toLowerCase() : `on ${day}`}`;
}

const faults: Readonly<Record<Extract<Found, { state: "broken" }>["reason"], string>> = {
  seq_gap: "an event is missing there",
  prev_hash_mismatch: "it does not follow from the event before it",
  hash_mismatch: "the event was changed after it was recorded",
  data_hash_mismatch: "what the event says was changed after it was recorded",
  history_rewritten: "an event that this browser verified before is not there any more as it was",
};

const events = (count: number) => counted(count, "event", "events");

/** What the check found, in one sentence. */
function Said({ found, headSeq }: { found: Found; headSeq: number }) {
  switch (found.state) {
    case "unchecked":
      return <p class="dim">{events(headSeq)}. They were not checked in this browser yet.</p>;
    case "checking":
      return <Progress {...found} />;
    case "verified":
    case "holds":
      return <Holds found={found} headSeq={headSeq} />;
    case "broken":
      return (
        <p class="err">
          <Icon name="warn" />
          <b>The record does not hold at event {found.seq.toLocaleString("en-GB")}:</b>{" "}
          {faults[found.reason]}. Recomputed in this browser, {dayAndTime(found.at)}. Ask whoever
          runs the server, and compare with what others on the board verified.
        </p>
      );
    case "failed":
      return (
        <p class="err">
          <Icon name="warn" />
          The record could not be checked. {sentenceOf(found.error)}
        </p>
      );
    default:
      return null;
  }
}

function Holds({
  found,
  headSeq,
}: {
  found: Extract<Found, { state: "verified" | "holds" }>;
  headSeq: number;
}) {
  const { chain, at } = found;
  const after = found.state === "holds" ? found.after : 0;
  const isWhole = found.state === "holds" || chain.seq >= headSeq;
  return (
    <>
      <p class="ok">
        <Icon name="chain" />
        <span>
          {isWhole ? events(chain.seq) : `The first ${events(chain.seq)}`}, no gap, every hash
          holds. {recomputed(after, chain.seq)}, {dayAndTime(at)}.
        </span>
      </p>
      {chain.withheld > 0 && (
        <p class="hint">
          What {counted(chain.withheld, "event says is", "events say is")} not for you to read. The
          hashes cover it all the same.
        </p>
      )}
      {!isWhole && (
        <p class="hint">
          {counted(headSeq - chain.seq, "event after it was", "events after it were")} not checked
          in this browser.
        </p>
      )}
    </>
  );
}

/** Which of the events were hashed now: all of them, or those that came since an earlier check. */
function recomputed(after: number, seq: number): string {
  if (after === 0) return "Recomputed in this browser";
  const fresh = seq - after;
  if (fresh === 0)
    return "Nothing came since this browser computed them, and their head is the same";
  const those = counted(fresh, "event that came since was", "events that came since were");
  return `The head of the last check is the same, and ${those} recomputed in this browser`;
}

function Progress({ seq, head }: { seq: number; head: number }) {
  return (
    <p>
      <progress aria-label="Events checked" max={Math.max(head, 1)} value={seq} />{" "}
      <span class="dim">
        {head === 0
          ? "Reading the record…"
          : `${seq.toLocaleString("en-GB")} of ${events(head)} checked`}
      </span>
    </p>
  );
}

/** The head of what was verified, to keep elsewhere. */
function KeptHead({ seq, hash }: { seq: number; hash: string }) {
  if (seq === 0) return null;
  return (
    <div class="stack gap">
      <p class="hint">
        The head after event {seq.toLocaleString("en-GB")}. Keep it somewhere else, and nobody can
        rewrite what is before it unnoticed.
      </p>
      <CopyLine line={hash} />
    </div>
  );
}

/** The server was put back from a backup. Whoever reads this decides whether they believe that. */
function Restored({ restored, accept }: Extract<Found, { state: "restored" }>) {
  const { backup, at, agreed_seq, lost_seq } = restored;
  return (
    <div class="strip flat gap">
      <Icon name="warn" />
      <span>
        The record says that the server was restored from the backup {visible(backup)} of{" "}
        {dayAndTime(at)}. What this browser verified is there up to event{" "}
        {agreed_seq.toLocaleString("en-GB")}, and gone from {lost_seq.toLocaleString("en-GB")} on.
        Accept that only if whoever runs the server says so.
      </span>
      <span class="end">
        <button class="b" type="button" onClick={accept}>
          Accept the restore
        </button>
      </span>
    </div>
  );
}
