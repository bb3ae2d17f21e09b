import { useState } from "preact/hooks";
import { unsent } from "../../core/sending/outbox.ts";
import { hasDrafts, forgetDrafts } from "../../core/sending/drafts.ts";
import { serverName } from "../../core/boards/overview.ts";
import { session, signOut } from "../../core/connection/session.ts";
import { longDay } from "../../core/screen/time.ts";
import { CopyLine } from "../../parts/copy-line.tsx";
import { Confirm } from "../../parts/dialog.tsx";
import { Icon } from "../../parts/icon.tsx";
import { sentenceOf } from "../../parts/problem.tsx";
import { Mark, visible } from "../../parts/who.tsx";
import { OwnAgents } from "./own-agents.tsx";
import { People } from "./people.tsx";
import { Allowed, Wishes } from "./settings.tsx";

/** Everything about the person who is signed in, and this browser of theirs. */
export function Account() {
  return (
    <main class="main" id="main" tabIndex={-1} data-f6>
      <div class="page">
        <div class="col">
          <Head />
          <ThisBrowser />
          <OwnAgents />
          <Allowed />
          <Wishes />
          <InATerminal />
          <People />
        </div>
      </div>
    </main>
  );
}

const roles = { admin: "admin", member: "member", guest: "guest" } as const;

function Head() {
  const { person } = session.value!;
  const { handle, display_name, server_role } = person;
  return (
    <div class="h-row acc-h">
      <a class="ib only-phone" href="/" aria-label="Back to home">
        <Icon name="back" />
      </a>
      <Mark of={{ name: handle, kind: "human" }} display={display_name ?? undefined} large />
      <div>
        <h1 class="title">
          <bdi>{visible(handle)}</bdi>
        </h1>
        <p class="muted">
          {display_name && (
            <>
              <bdi>{visible(display_name)}</bdi> ·{" "}
            </>
          )}
          {roles[server_role] ?? server_role} of {serverName}
        </p>
      </div>
      <span class="end">
        <SignOut />
      </span>
    </div>
  );
}

/** Signs out. It asks first if something is written here that was not sent, since that is deleted with it. */
function SignOut() {
  const [isAsking, setAsking] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const leave = async () => {
    const { id } = session.value!.person;
    setBusy(true);
    try {
      await signOut();
      forgetDrafts(id);
      // A fresh page holds nothing of what was read here.
      location.replace("/");
    } catch (error) {
      setProblem(sentenceOf(error));
      setBusy(false);
    }
  };
  const ask = () => {
    if (unsent.value.length > 0 || hasDrafts()) setAsking(true);
    else void leave();
  };
  return (
    <>
      <button class="b" type="button" disabled={isBusy} onClick={ask}>
        <Icon name="leave" small />
        Sign out here
      </button>
      {problem && !isAsking && (
        <p class="err" role="alert">
          <Icon name="warn" small />
          <span>{problem}</span>
        </p>
      )}
      {isAsking && (
        <Confirm
          title="Sign out with something unsent?"
          yes="Sign out"
          no="Stay"
          isBad
          isBusy={isBusy}
          problem={problem}
          onYes={() => void leave()}
          onNo={() => setAsking(false)}
        >
          <p>What you were writing in this browser, and what it has not sent yet, is deleted.</p>
        </Confirm>
      )}
    </>
  );
}

function ThisBrowser() {
  const { key, created_at, expires_at, started_with } = session.value!;
  return (
    <section class="sect2" aria-labelledby="this-browser">
      <h2 id="this-browser">This browser</h2>
      <dl class="kv">
        <dt>Signed in</dt>
        <dd>
          {longDay(created_at)},{" "}
          {started_with === "login_code" ? "with a link from " : "with the key "}
          <code>{visible(key.name)}</code>
        </dd>
        <dt>Ends</dt>
        <dd>{longDay(expires_at)}, or with that key</dd>
      </dl>
    </section>
  );
}

const lines = [
  ["Your keys, and what each started", "service keys"],
  ["Let in the machine that shows a code", "service approve CODE"],
  ["Browsers where you are signed in", "service keys sessions"],
  ["Sign out everywhere but in the terminal", "service logout --browsers"],
] as const;

function InATerminal() {
  return (
    <section class="sect2" aria-labelledby="in-a-terminal">
      <h2 id="in-a-terminal">Keys, machines and other browsers</h2>
      <p class="dim">
        A browser can never make, list or end a key: whoever takes your browser has no more than
        this page. Your terminal can:
      </p>
      <div class="two">
        {lines.map(([what, line]) => (
          <div class="stack" key={line}>
            <p>
              <b>{what}</b>
            </p>
            <CopyLine line={line} />
          </div>
        ))}
      </div>
    </section>
  );
}
