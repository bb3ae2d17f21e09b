import { useState } from "preact/hooks";
import type { OutputOf } from "../../contract/index.ts";
import { ApiError, Unreachable } from "../core/connection/api.ts";
import { leaveLink, useLink } from "../core/signing-in/link.ts";
import { serverName } from "../core/boards/overview.ts";
import { go } from "../core/screen/router.ts";
import { session, signIn } from "../core/connection/session.ts";
import { Icon } from "../parts/icon.tsx";
import { CopyLine } from "../parts/copy-line.tsx";
import { sentenceOf } from "../parts/problem.tsx";
import { Mark, visible } from "../parts/who.tsx";

/** The frame of what stands before the page: signing in, and invitations. */
export const Door = ({ children }: { children: preact.ComponentChildren }) => (
  <div class="door">
    <main id="main">
      <div class="brand">
        <Icon name="brand" />
        <span>{serverName}</span>
      </div>
      {children}
    </main>
  </div>
);

/** Whoever is about to join the chain, beside the heading. */
export const Newcomer = () => <span class="node" aria-hidden="true" />;

/** Says that the server does not answer, while it is asked again by itself. */
export function NoAnswer({ problem }: { problem: unknown }) {
  const isAway = problem instanceof Unreachable;
  return (
    <Door>
      <h1>{isAway ? `${serverName} does not answer` : "The server could not say who you are"}</h1>
      <p class="dim" role="status">
        {isAway
          ? "It may be off, or this machine is offline. This page asks again by itself, and at once when the network is back."
          : `${sentenceOf(problem)} This page asks again by itself.`}
      </p>
      <footer>
        <p class="hint">What you wrote and did not send is kept in this browser.</p>
      </footer>
    </Door>
  );
}

/** Asks whether the person of a link is the one who sits here, and signs them in. */
export function ConfirmLink({ whom }: { whom: OutputOf<"previewLoginCode"> }) {
  const [problem, setProblem] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const { person, key } = whom;
  const other =
    session.value && session.value.person.id !== person.id ? session.value.person : null;
  const confirm = async () => {
    setBusy(true);
    try {
      await useLink(other !== null);
    } catch (error) {
      setProblem(sentenceOf(error));
      setBusy(false);
    }
  };
  return (
    <Door>
      <h1>Is this you?</h1>
      <p class="dim">
        The link from your terminal signs this browser in, for 30 days or as long as the key lives
        that made it.
      </p>
      <div class="who-row">
        <Mark
          of={{ name: person.handle, kind: "human" }}
          display={person.display_name ?? undefined}
          large
        />
        <div>
          <p>
            <b>{visible(person.display_name ?? person.handle)}</b>
          </p>
          <p class="dim">
            {person.handle} on {serverName}, with the key <code>{key.name}</code>
          </p>
        </div>
      </div>
      {other && (
        <div class="strip flat">
          <Icon name="warn" />
          <span>
            This browser is signed in as <b>{other.handle}</b>. Going on signs {other.handle} out
            here.
          </span>
        </div>
      )}
      {problem && (
        <p class="err" role="alert">
          <Icon name="warn" small />
          <span>{problem}</span>
        </p>
      )}
      <div class="act">
        <button class="b p" type="button" disabled={isBusy} onClick={() => void confirm()}>
          Sign in as {person.handle}
        </button>
        {other && (
          <button class="b" type="button" onClick={leaveLink}>
            Stay {other.handle}
          </button>
        )}
      </div>
      <footer>
        <p>
          Not you? Close this page: the link works once, for a minute, and you have not used it.
        </p>
      </footer>
    </Door>
  );
}

/** Asks for a link from the terminal, or for a pasted key. */
export function SignIn({ linkProblem = null }: { linkProblem?: unknown }) {
  const [refused, setProblem] = useState<string | null>(null);
  const problem = refused ?? (linkProblem === null ? null : sentenceOfLink(linkProblem));
  const [key, setKey] = useState("");
  const submit = async () => {
    try {
      await signIn({ key: key.trim() });
      setKey("");
      if (location.pathname === "/sign-in") go("/", { replace: true });
    } catch (error) {
      const isWrong = error instanceof ApiError && error.status === 401;
      setProblem(
        isWrong ? "This key does not work: it is wrong, revoked or over." : sentenceOf(error),
      );
    }
  };
  return (
    <Door>
      <Newcomer />
      <h1>Sign in to {serverName}</h1>
      <p class="dim">
        In a terminal where you are signed in, type this. It opens this page with a link that works
        once.
      </p>
      <div class="gap">
        <CopyLine line="service open" />
      </div>
      <footer>
        <form
          class="stack"
          onSubmit={(event) => {
            event.preventDefault();
            if (key.trim() !== "") void submit();
          }}
        >
          <label class="lbl" for="key">
            Or paste an access key
          </label>
          <div class="words">
            <input
              class="f mono"
              id="key"
              type="password"
              autocomplete="off"
              spellcheck={false}
              value={key}
              onInput={(event) => setKey(event.currentTarget.value)}
              {...(problem && { "aria-invalid": true, "aria-describedby": "key-problem" })}
            />
            <button class="b p" type="submit">
              Sign in
            </button>
          </div>
          {problem && (
            <p class="err" id="key-problem" role="alert">
              <Icon name="warn" small />
              <span>{problem}</span>
            </p>
          )}
          <p class="hint">It is checked once and forgotten; only a cookie stays here.</p>
        </form>
        <p class="hint">
          Invited with a link? Run <code>service connect LINK</code> first: it makes your key.
        </p>
      </footer>
    </Door>
  );
}

function sentenceOfLink(error: unknown): string {
  const isOver = error instanceof ApiError && error.code === "login_code_invalid";
  return isOver
    ? "This link is used or over: it works once, for a minute. Ask for another one with service open."
    : sentenceOf(error);
}
