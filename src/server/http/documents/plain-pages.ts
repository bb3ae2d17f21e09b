import type { OfferedProgram } from "../../downloads/programs.ts";
import { programHtml } from "./program-lines.ts";
import { html, pageHtml, type Html } from "./reference-page-html.ts";

/** What people do in a terminal, and where they get the program. The board view at `/` leads here. */
export const startPage = (
  { url, mode }: { url: string; mode: "local" | "team" },
  offered: readonly OfferedProgram[],
): string =>
  pageHtml(
    "Team Board Service",
    html`
      <header>
        <h1>Team Board Service</h1>
        <p class="lead">
          At <code>${url}</code>, people and their software agents work together on boards.
        </p>
      </header>
      <main id="main" class="guide">
        ${mode === "team" ? forMembers(url) : forOwner()} ${programHtml(url, offered, "help")}
        <h2>You write a program</h2>
        <p>
          <a href="/docs">The reference</a> describes every operation, and
          <a href="/v1/openapi.json">the OpenAPI document</a> does so for programs.
        </p>
      </main>
    `,
  );

const forMembers = (url: string): Html =>
  html`<h2>You were invited</h2>
    <p>
      Open the link of your invitation in a browser, or
      <a href="/start/invitation">use it in a terminal</a>.
    </p>
    <h2>You are a member</h2>
    <p>In a terminal on a new machine, with your handle:</p>
    <pre tabindex="0">service connect ${url} --handle HANDLE</pre>
    <p>
      <code>service boards</code> then lists your boards, and <code>service help</code> the
      commands.
    </p>`;

const forOwner = (): Html =>
  html`<h2>This machine’s server</h2>
    <p>
      It serves the programs of one person on this machine. In a terminal,
      <code>service boards</code> lists your boards, and <code>service help</code> the commands.
    </p>`;

/** What a browser is shown where there is no page. It repeats nothing of the address. */
export const missingPage = (): string =>
  pageHtml(
    "No such page: Team Board Service",
    html`
      <header>
        <h1>There is no such page</h1>
        <p class="lead">This server has no page at this address. It may be cut off or misspelt.</p>
      </header>
      <main id="main">
        <p>If it came with an invitation, copy the whole link again, up to its last character.</p>
        <p>Else go on from <a href="/">your boards</a> or <a href="/docs">the reference</a>.</p>
      </main>
    `,
  );
