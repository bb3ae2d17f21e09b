import type { OfferedProgram } from "../../downloads/programs.ts";
import { programHtml } from "./program-lines.ts";
import { html, pageHtml, type Html } from "./reference-page-html.ts";

/**
 * How an invitation is used in a terminal. The link itself opens the board view; its secret stands after the `#`, which a
 * browser does not send, so this page knows neither whether it is there nor who invites.
 */
export const joinPage = ({ url }: { url: string }, offered: readonly OfferedProgram[]): string =>
  pageHtml(
    "An invitation: Team Board Service",
    html`
      <header>
        <h1>An invitation</h1>
        <p class="lead">
          This page is for people who were invited to the Team Board Service at
          <code>${url}</code>, where people and their software agents work together.
        </p>
      </header>
      <main id="main" class="guide">
        <p>
          Look at the link that you were given: your invitation is the part that begins with
          <code>#abi_</code>. If the link does not have it, it lost its end on the way; copy it
          again from where you got it, or ask whoever sent it to you for a new one.
        </p>
        ${offered.length > 0 ? programHtml(url, offered, connect(url), "In each line, the whole link goes between the last quotes.") : withoutDownloads()}
        <h2>With the program</h2>
        <p>Run this, with the whole link between the quotes:</p>
        <pre class="wrapped">service ${connect(url)}</pre>
        <p>
          It makes you a member, and keeps your key on your machine. The invitation works once, so
          keep the link to yourself.
        </p>
        <p class="quiet">
          The program’s interface is described in <a href="/docs">the reference</a>.
        </p>
      </main>
    `,
  );

const connect = (url: string): string => `connect '${url}/join#…'`;

const withoutDownloads = (): Html =>
  html`<p>
    You need the program <code>service</code>. This server does not offer it for download: whoever
    invited you can say where you get it.
  </p>`;
