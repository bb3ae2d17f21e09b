import { useState } from "preact/hooks";
import { ApiError } from "../core/connection/api.ts";
import { invitation, redeemInvitation, type Joined } from "../core/signing-in/invitation.ts";
import { serverName } from "../core/boards/overview.ts";
import { session } from "../core/connection/session.ts";
import { CopyLine } from "../parts/copy-line.tsx";
import { Icon } from "../parts/icon.tsx";
import { sentenceOf } from "../parts/problem.tsx";
import { Door, Newcomer } from "./sign-in.tsx";

/** An invitation: the person chooses what the others call them, and gets their first key. */
export function Join() {
  const [joined, setJoined] = useState<Joined | null>(null);
  if (joined !== null) return <Welcome joined={joined} />;
  return invitation.value ? <Form onJoined={setJoined} /> : <Incomplete />;
}

function Incomplete() {
  return (
    <Door>
      <h1>This invitation is not whole</h1>
      <p class="dim">
        Its link ends with <code>#abi_</code> and many letters. Copy the whole link again from where
        you got it, or ask whoever sent it to you for a new one.
      </p>
      <footer>
        <p class="hint">
          Have you joined already? <a href="/">Go to your boards</a>.
        </p>
      </footer>
    </Door>
  );
}

/** A problem with what was chosen, and a handle that would do. */
interface Problem {
  readonly text: string;
  readonly suggestion?: string;
}

/** A handle made of what somebody typed. Empty where nothing of it can stand in one. */
const handleOf = (text: string): string =>
  text
    .normalize("NFD")
    .toLowerCase()
    .replaceAll(/[\u0300-\u036f]/g, "")
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-|-$/g, "")
    .slice(0, 40);

function problemOf(error: unknown, handle: string): Problem {
  if (!(error instanceof ApiError)) return { text: sentenceOf(error) };
  const suggestion = handleOf(handle);
  if (error.code === "handle_taken")
    return { text: "Somebody here has this handle. Choose another; your invitation is unused." };
  if (error.code === "invite_invalid")
    return {
      text: "This invitation was used, is over, or was taken back. Ask whoever sent it to you for a new one.",
    };
  if (error.code === "handle_invalid")
    return {
      text: "A handle has lowercase letters, digits and single dashes.",
      ...(suggestion && { suggestion }),
    };
  return { text: sentenceOf(error) };
}

function Form({ onJoined }: { onJoined: (joined: Joined) => void }) {
  const [handle, setHandle] = useState("");
  const [name, setName] = useState("");
  const [problem, setProblem] = useState<Problem | null>(null);
  const [isBusy, setBusy] = useState(false);
  const other = session.value?.person.handle;
  const submit = async () => {
    setBusy(true);
    setProblem(null);
    try {
      const display_name = name.trim();
      onJoined(
        await redeemInvitation({ handle: handle.trim(), ...(display_name && { display_name }) }),
      );
    } catch (error) {
      setProblem(problemOf(error, handle));
      setBusy(false);
    }
  };
  return (
    <Door>
      <Newcomer />
      <h1>You are invited to {serverName}</h1>
      <p class="dim">
        A server of boards, where people and their agents work together. Choose what the others call
        you.
      </p>
      {other && (
        <div class="strip flat">
          <Icon name="warn" />
          <span>
            This browser is signed in as <b>{other}</b>. Joining makes another account, and signs{" "}
            {other} out here.
          </span>
        </div>
      )}
      <form
        class="stack join"
        onSubmit={(event) => {
          event.preventDefault();
          if (handle.trim() !== "" && !isBusy) void submit();
        }}
      >
        <div>
          <label class="lbl" for="join-handle">
            Handle
          </label>
          <input
            class="f"
            id="join-handle"
            autocomplete="username"
            autocapitalize="none"
            spellcheck={false}
            required
            maxLength={40}
            value={handle}
            onInput={(event) => setHandle(event.currentTarget.value)}
            aria-describedby={problem ? "join-problem" : "join-hint"}
            {...(problem && { "aria-invalid": true })}
          />
          {problem ? (
            <p class="err" id="join-problem" role="alert">
              <Icon name="warn" small />
              <span>
                {problem.text}
                {problem.suggestion && (
                  <>
                    {" "}
                    <button
                      class="lnk"
                      type="button"
                      onClick={() => setHandle(problem.suggestion!)}
                    >
                      {problem.suggestion}
                    </button>
                  </>
                )}
              </span>
            </p>
          ) : (
            <p class="hint" id="join-hint">
              Lowercase letters, digits, single dashes. An admin can change it later.
            </p>
          )}
        </div>
        <div>
          <label class="lbl" for="join-name">
            Name
          </label>
          <input
            class="f"
            id="join-name"
            autocomplete="name"
            maxLength={80}
            value={name}
            onInput={(event) => setName(event.currentTarget.value)}
          />
        </div>
        <div class="act">
          <button class="b p" type="submit" disabled={isBusy}>
            {isBusy ? "Joining…" : "Join"}
          </button>
        </div>
      </form>
      <footer>
        <p>
          Joining makes your first access key: keep it for your terminal. This browser is signed in
          with it.
        </p>
        <p class="hint">
          Rather in a terminal? <code>service connect</code> with the link that you were given does
          the same. <a href="/start/invitation">How to get the program</a>.
        </p>
      </footer>
    </Door>
  );
}

/** The first key, which is shown on request and never again. */
function Welcome({ joined: { handle, key } }: { joined: Joined }) {
  const [isShown, setShown] = useState(false);
  return (
    <Door>
      <h1>You are in, {handle}</h1>
      <p class="dim">
        Your agents run where your terminal is. Keep the key that was just made: there,{" "}
        <code>service login {location.origin}</code> asks for it. It is shown here and nowhere
        again.
      </p>
      <div class="gap">
        {isShown ? (
          <CopyLine line={key} />
        ) : (
          <button class="b" type="button" onClick={() => setShown(true)}>
            <Icon name="key" small />
            Show the key
          </button>
        )}
      </div>
      <div class="act">
        <button
          class="b p"
          type="button"
          onClick={() => {
            // A fresh page: this one may hold what somebody else has read.
            location.replace("/");
          }}
        >
          Go to the boards
        </button>
      </div>
      <footer>
        <p class="hint">
          Without the key this browser alone lets you in, for 30 days. Who loses both asks an admin.
        </p>
      </footer>
    </Door>
  );
}
