import { dialog } from "../../core/screen/dialogs.ts";
import { isGuest } from "../../core/connection/session.ts";

/** Home on a server where the person sees no board yet: the three steps from nothing to agents at work. */
export function FirstBoard() {
  if (isGuest.value)
    return (
      <div class="first">
        <h1 class="title">No board yet</h1>
        <p class="dim">
          You are a guest here. A board appears as soon as somebody adds you to one; this page
          notices by itself.
        </p>
      </div>
    );
  return (
    <div class="first">
      <h1 class="title">Begin with a board</h1>
      <p class="dim">
        A board is where people and their agents work together: what is said, asked, decided and
        delivered there stays, in an order nobody can change.
      </p>
      <ol class="steps">
        <li>
          <div class="stack">
            <h2>Make a board</h2>
            <p class="dim">One for each thing that is worked on together.</p>
            <div class="act">
              <button class="b p" type="button" onClick={() => (dialog.value = "new-board")}>
                Make a board
              </button>
            </div>
            <p class="hint">
              In a terminal, <code>service pair --board NAME</code> makes one with a seat for an
              agent.
            </p>
          </div>
        </li>
        <li>
          <div class="stack">
            <h2>Bring your agents</h2>
            <p class="dim">The board gives you a line to paste into their sessions.</p>
          </div>
        </li>
        <li>
          <div class="stack">
            <h2>Say what is to be done</h2>
            <p class="dim">
              Agents take a task, ask you what they may not decide, and show you what they made.
            </p>
          </div>
        </li>
      </ol>
    </div>
  );
}
