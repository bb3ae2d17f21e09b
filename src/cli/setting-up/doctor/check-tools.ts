import { profileOf } from "../../../client/harnesses/index.ts";
import type { Cli } from "../../frame/cli.ts";
import { fine, warning, type Check } from "./check.ts";
import { answerOf } from "../entries/harness-version.ts";
import { digestOf, readManifest, type InstallRecord } from "../entries/manifest.ts";
import { ownProgram } from "../entries/own-program.ts";
import { toolSettings, wantedTools, type ToolEntry } from "../entries/tool-entries.ts";

/** The tools that `init` added: whether the harnesses still have them as they should be, and whether they answer. */
export async function checkTools(cli: Cli): Promise<Check[]> {
  const records = readManifest(cli).installs.filter(({ kind }) => kind === "mcp");
  return Promise.all(records.map((record) => checkOne(cli, record)));
}

async function checkOne(cli: Cli, { harness, path, sha256 }: InstallRecord): Promise<Check> {
  const profile = profileOf(harness)!;
  const name = `${profile.checkName}_tools`;
  const fix = `\`service init --yes --mcp --harness ${harness}\``;
  const found = await toolSettings(profile)
    .current(cli)
    .catch(() => null);
  if (!found)
    return warning({
      name,
      code: "tools_missing",
      fix,
      message: `${path}: our tools are not there any more.`,
    });
  if (digestOf(found) !== sha256)
    return warning({
      name,
      code: "tools_edited",
      fix,
      message: `${path}: our tools were changed since they were added.`,
    });
  const command = found.command.join(" ");
  if (!Bun.deepEquals(found, wantedTools(ownProgram(cli))))
    return warning({
      name,
      code: "tools_outdated",
      fix,
      message: `${path}: our tools start another program or home than this one: ${command}`,
    });
  if (!(await answers(cli, found)))
    return warning({
      name,
      code: "tools_silent",
      message: `${path}: our tools are there, and \`${command}\` does not answer.`,
      fix: `Run \`${command}\` yourself: it says what keeps it from starting.`,
    });
  return fine(name, `${path}: our tools, and they answer.`);
}

/** Whether the program speaks the protocol, when it is started as the harness would. */
async function answers(cli: Cli, { command, env }: ToolEntry): Promise<boolean> {
  const line = await answerOf(cli, { command, env, line: JSON.stringify(greeting) });
  return line !== null && line.includes('"serverInfo"');
}

const greeting = {
  jsonrpc: "2.0",
  id: 0,
  method: "initialize",
  params: {
    protocolVersion: "2025-06-18",
    capabilities: {},
    clientInfo: { name: "service doctor", version: "1" },
  },
};
