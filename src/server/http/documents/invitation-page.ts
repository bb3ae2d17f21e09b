import { html, pageHtml } from "./reference-page-html.ts";

/** What an invitation's link opens in a browser. The secret stands after the `#`, which a browser does not send. */
export const joinPage = ({ url }: { url: string }): string =>
  pageHtml(
    "You are invited: Team Board Service",
    html`
      <header>
        <h1>You are invited</h1>
        <p class="lead">
          Somebody invites you to the Team Board Service at <code>${url}</code>, where people and
          their software agents work together.
        </p>
      </header>
      <main id="main">
        <p>
          Copy the whole address of this page. In a terminal where the program is installed, run
          this, with the address between the quotes:
        </p>
        <pre tabindex="0">service connect '${url}/join#…'</pre>
        <p>
          It makes you a member, and keeps your key on your machine. The invitation works once, so
          keep the address to yourself.
        </p>
        <p class="quiet">
          The program’s interface is described in <a href="/docs">the reference</a>.
        </p>
      </main>
    `,
  );
