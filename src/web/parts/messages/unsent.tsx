import { useEffect, useState } from "preact/hooks";
import { connection } from "../../core/connection/live.ts";
import { sendAgain, throwAway, unsent, type Unsent } from "../../core/sending/outbox.ts";
import { me } from "../../core/boards/overview.ts";
import { session } from "../../core/connection/session.ts";
import { copy } from "../../core/screen/copy.ts";
import { timeOf } from "../../core/screen/time.ts";
import { toast } from "../../core/screen/toasts.ts";
import { takeBack } from "../../core/sending/writing.ts";
import { Icon } from "../icon.tsx";
import { MessageText } from "../text/message-text.tsx";
import { Mark, Name, visible } from "../who.tsx";

/**
 * What this person has written on a board, or in the thread of a first message, and the server has not stored yet. It stands at
 * the end of the messages, and takes its place among them once the server has answered.
 */
export function UnsentMessages({ board, root }: { board: string; root?: string }) {
  const own = unsent.value.filter((one) => one.board === board && (!root || one.root === root));
  return (
    <>
      {own.map((one, index) => (
        <UnsentMessage key={one.key} one={one} before={own[index - 1]} />
      ))}
    </>
  );
}

const targets = (to: readonly string[] = []): string => to.map(visible).join(" ");

function UnsentMessage({ one, before }: { one: Unsent; before: Unsent | undefined }) {
  const { at, body, problem } = one;
  const when = new Date(at).toISOString();
  const isMore = before !== undefined && targets(before.body.to) === targets(body.to);
  const who = { name: me.value, kind: "human" } as const;
  return (
    <article
      class="msg pend"
      tabIndex={-1}
      aria-label={`${me.value}, ${timeOf(when)}, not sent yet`}
    >
      <div class={isMore ? "row more" : "row start"}>
        <span class="when">
          <time dateTime={when}>{timeOf(when)}</time>
        </span>
        {!isMore && <Mark of={who} display={session.value?.person.display_name ?? undefined} />}
        <div class="bd">
          {!isMore && (
            <header class="by">
              <Name of={who} />
              <time class="when2" dateTime={when}>
                {timeOf(when)}
              </time>
              {body.to && !body.to.includes("all") && <span class="to">to {targets(body.to)}</span>}
            </header>
          )}
          <MessageText id={one.key} text={body.body} />
          {body.ask?.options && body.ask.options.length > 0 && (
            <p class="muted">Options: {body.ask.options.map(visible).join(" · ")}</p>
          )}
          {one.draft?.files.map(({ id, name, version }) => (
            <div class="att" key={id}>
              <Icon name="file" />
              <span class="name">
                <bdi>{visible(name)}</bdi>
              </span>
              <span class="muted">version {version}</span>
            </div>
          ))}
          {problem ? (
            <Refused one={one} problem={problem} />
          ) : (
            <p class="foot">
              <Icon name="clock" small />
              <Waiting one={one} before={before} />
              {!body.answer && (
                <button class="lnk0" type="button" onClick={() => takeBack(one)}>
                  Edit
                </button>
              )}
              <button class="lnk0" type="button" onClick={() => drop(one)}>
                Take it back
              </button>
            </p>
          )}
        </div>
      </div>
    </article>
  );
}

function drop({ key, triedIn }: Unsent): void {
  throwAway(key);
  if (triedIn)
    toast({ text: "Taken back. It was on its way already, and may appear all the same." });
}

/** What an unsent message waits for. */
function Waiting({ one: { notBefore = 0 }, before }: { one: Unsent; before: Unsent | undefined }) {
  const [time, setTime] = useState(Date.now());
  const isHeld = notBefore > time;
  useEffect(() => {
    if (!isHeld) return;
    const timer = setInterval(() => setTime(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, [isHeld]);
  return (
    <span>
      {isHeld
        ? `the server takes it in ${Math.ceil((notBefore - time) / 1_000)} s`
        : stateOf(before)}
    </span>
  );
}

function stateOf(before: Unsent | undefined): string {
  if (before && !before.problem) return "waits to be sent, after the one above";
  return connection.value.state === "live" ? "sending…" : "waits to be sent";
}

/** Why a message was not sent, and what its writer can do. */
function Refused({ one, problem }: { one: Unsent; problem: string }) {
  const [isCopied, setCopied] = useState(false);
  return (
    <div class="foot err0">
      <Icon name="warn" small />
      <span>not sent: {problem}</span>
      <button
        class="lnk0"
        type="button"
        onClick={() => void copy(one.body.body, "the text of the message").then(setCopied)}
      >
        {isCopied ? "Copied" : "Copy the text"}
      </button>
      <button class="lnk0" type="button" onClick={() => sendAgain(one.key)}>
        Send it again
      </button>
      <button class="lnk0" type="button" onClick={() => throwAway(one.key)}>
        Throw it away
      </button>
    </div>
  );
}
