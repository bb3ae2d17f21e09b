import { join } from "node:path";
import { commandsText } from "./generate/commands.ts";
import { errorsText } from "./generate/errors.ts";
import { eventsText } from "./generate/events.ts";
import { operationsText } from "./generate/operations.ts";
import { routesText } from "./generate/routes.ts";

/** Folder of the generated documents. */
export const referenceFolder = join(import.meta.dir, "reference");

/** The generated documents by file name, made from the tables of the code. */
export const referenceTexts = async (): Promise<Record<string, string>> => ({
  "operations.md": operationsText(),
  "errors.md": errorsText(),
  "events.md": eventsText(),
  "commands.md": await commandsText(),
});

/** The one generated source. */
export const routesFile = join(import.meta.dir, "../src/client/routes.ts");

if (import.meta.main) {
  // First, because the commands whose help is read are run with it.
  await Bun.write(routesFile, routesText());
  for (const [file, text] of Object.entries(await referenceTexts()))
    await Bun.write(join(referenceFolder, file), text);
}
