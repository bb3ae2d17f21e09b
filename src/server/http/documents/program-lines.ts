import type { ProgramTarget } from "../../../contract/programs.ts";
import { shellWord } from "../../../contract/shell-word.ts";
import type { OfferedProgram } from "../../downloads/programs.ts";
import { html, type Html } from "./reference-page-html.ts";

const systems: Record<ProgramTarget, { readonly name: string; readonly check: string }> = {
  "linux-x64": { name: "Linux, Intel or AMD", check: "sha256sum -c -" },
  "linux-arm64": { name: "Linux, ARM", check: "sha256sum -c -" },
  "darwin-arm64": { name: "macOS, Apple silicon", check: "shasum -a 256 -c -" },
  "darwin-x64": { name: "macOS, Intel", check: "shasum -a 256 -c -" },
};

/** One line for a shell: it fetches a program, checks that these are its bytes, and starts it with these words. */
function programLine(url: string, { target, sha256 }: OfferedProgram, words: string): string {
  const from = shellWord(`${url}/download/${target}`);
  return `curl -fsSLo service ${from} && echo '${sha256}  service' | ${systems[target].check} && chmod +x service && ./service ${words}`;
}

/** How a person gets the program: a line for each system that the server has it for, which ends in these words. */
export function programHtml(
  url: string,
  offered: readonly OfferedProgram[],
  words: string,
  note = "",
): Html | false {
  if (offered.length === 0) return false;
  return html`<h2 id="program">Get the program</h2>
    <p>
      One line in a terminal fetches the program into the folder where you are, checks it and starts
      it. ${note} Then move the file <code>service</code> to a folder of your PATH.
    </p>
    ${offered.map(
      (program) =>
        html`<h3>${systems[program.target].name}</h3>
          <pre class="wrapped">${programLine(url, program, words)}</pre>`,
    )}`;
}
