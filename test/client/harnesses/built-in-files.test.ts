import { expect, test } from "bun:test";
import { builtInFile } from "../../../src/client/harnesses/built-in-files.ts";
import { profiles } from "../../../src/client/harnesses/index.ts";

const program = `/opt/the "program"/\\service`;

test("every file that a harness's profile installs is built in", () => {
  const sources = profiles.flatMap(({ install }) =>
    install.flatMap((item) => (item.kind === "file" ? [item.source] : [])),
  );
  expect(sources).toContain("opencode-plugin.js");
  for (const source of sources) expect(builtInFile(source, { program })).not.toBeNull();
  expect(builtInFile("other.js", { program })).toBeNull();
});

test("a built-in file names the program and the home as text of its language, whatever is in their paths", () => {
  const text = builtInFile("opencode-plugin.js", { program, home: "/tmp/$& home" })!;
  expect(text).toContain(`const program = ${JSON.stringify(program)};`);
  expect(text).toContain(`const home = "/tmp/$& home";`);
  expect(text).not.toMatch(/\{service_\w+\}/);
  expect(builtInFile("opencode-plugin.js", { program })).toContain(`const home = "";`);
  new Bun.Transpiler({ loader: "js" }).scan(text);
});
