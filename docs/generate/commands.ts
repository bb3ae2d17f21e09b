import { helpOfAll, type CommandHelp } from "../../src/cli/help.ts";
import { heading, paragraphs } from "./markdown.ts";

/** Flags that the introduction explains. */
const common = ["--json", "--help"];

/** Every command, as the program itself explains it. */
export async function commandsText(): Promise<string> {
  const commands = await helpOfAll();
  const groups = [...new Set(commands.map(({ group }) => group))];
  return `${paragraphs(
    heading(
      "Commands",
      `Every command takes \`--help\`, and all but ${withoutJson(commands)} take \`--json\` for one JSON object as output. Exit codes: 0 done, 1 refused, 2 not understood, 3 a check failed.`,
    ),
    ...groups.map((group) =>
      paragraphs(`## ${group}`, ...commands.filter((one) => one.group === group).map(commandText)),
    ),
  )}\n`;
}

const withoutJson = (commands: readonly CommandHelp[]): string =>
  commands
    .filter(({ flags }) => flags.every(({ name }) => name !== "--json"))
    .map(({ name }) => `\`${name}\``)
    .join(" and ");

const commandText = (command: CommandHelp): string =>
  paragraphs(
    `### ${command.name}`,
    `${command.summary}.`,
    `\`\`\`text\n${command.usage.join("\n")}\n\`\`\``,
    command.description,
    command.flags
      .filter(({ name }) => !common.includes(name))
      .map(flagLine)
      .join("\n"),
    command.examples.length > 0 && `Examples:\n\n${command.examples.map(exampleLine).join("\n")}`,
    command.see_also.length > 0 && `See also: ${command.see_also.join(", ")}.`,
  );

const flagLine = ({ name, value, text }: CommandHelp["flags"][number]): string =>
  `- \`${`${name} ${value}`.trim()}\`: ${text}`;

const exampleLine = ({ command, text }: CommandHelp["examples"][number]): string =>
  `- \`${command}\`: ${text}`;
