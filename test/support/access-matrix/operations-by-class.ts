import { operationNamed, operationNames, type OperationName } from "../../../src/contract/index.ts";
import { classes, type ClassName, type Credential, type Row } from "./expected-answers.ts";
import { asked } from "../../server/operations.ts";

/** Every operation, as the handwritten table has it. */
export const all = operationNames as string[];

const ofClass = (...wanted: ClassName[]) =>
  all.filter((name) => wanted.includes(asked[name]!.access[0]));

/** What a credential gets from an operation, by the handwritten table. */
export function rowOf(name: string, credential: Credential): Row {
  const [className, ...exceptions] = asked[name]!.access;
  const exception = exceptions.findLast(({ gets }) => gets[credential]);
  return exception?.gets[credential] ?? classes[className][credential];
}

/** Operations that need a credential and take one of a kind: they do not refuse it alike wherever it asks. */
const taking = (credential: Credential) =>
  without(all, ofClass("open")).filter(
    (name) =>
      !/^403 (human_token|agent_token|browser_session)_required$|^403 forbidden$/.test(
        String(rowOf(name, credential)),
      ),
  );
export const forKeys = taking("owner");
export const forBrowsers = taking("browser");
export const forAgents = taking("ownerAgent");

/** Who may make an operation. */
export const who = {
  anyone: ofClass("open"),
  /** People, but no agents, by key alone or by browser too. */
  people: forKeys.filter((name) => !forAgents.includes(name)),
  keyHolders: forKeys.filter((name) => !forAgents.includes(name) && !forBrowsers.includes(name)),
  browsers: ofClass("ownSession"),
  admins: ofClass("serverAdmin"),
  agents: ofClass("ownSeat"),
  machines: ofClass("machine"),
  /** Sessions that are being paired, and nobody else. */
  pairings: ofClass("pairingSession"),
};

const naming = (parameter: string) =>
  all.filter((name) => operationNamed(name as OperationName).path.includes(parameter));
/** What an operation's path names. */
export const where = {
  nothing: all.filter(
    (name) => !/:(board|message)/.test(operationNamed(name as OperationName).path),
  ),
  board: naming(":board"),
  /** Those of a board that whoever is not on it does not make. */
  boardJoined: naming(":board").filter((name) => !ofClass("seeing").includes(name)),
  message: naming(":message"),
};
/** The status of an operation that succeeds with another than 200. */
export const madeWith = (name: string) => (asked[name]!.makes === 202 ? "202" : "201");
/** Operations that answer 201 or 202. */
export const made = all.filter((name) => asked[name]!.makes);

/** For the key alone that an invitation was redeemed with. */
export const forNewcomers = ["getOnboardingReceipt"];

/** What each of some operations came to. */
export async function verdicts(
  names: readonly string[],
  of: (name: OperationName) => Promise<string>,
) {
  const found: Record<string, string> = {};
  for (const name of names) found[name] = await of(name as OperationName);
  return found;
}
export const each = (names: readonly string[], verdict: string) =>
  Object.fromEntries(names.map((name) => [name, verdict]));
export function without(names: readonly string[], left: readonly string[]): string[] {
  return names.filter((name) => !left.includes(name));
}

/** What an archived board does not take; all else goes on. */
export const refusedOnArchive = [
  ...all.filter((name) =>
    (["owner", "ownerAgent"] as const).some((credential) =>
      rowOf(name, credential).includes("409 board_archived"),
    ),
  ),
  // The matrix asks for an agent that there is not, and is told that first.
  "createPairingCredential",
];

const ending = [
  "removePerson",
  "removeFromServer",
  "removeAgent",
  "leaveBoard",
  "restoreBoard",
  "archiveBoard",
  "moveBoard",
  "deleteBoard",
];
/** Operations in an order in which one caller can make them all: what ends something comes last. */
export const lastly = (names: readonly string[]) => {
  const last = [...ending, "leaveAsAgent", "endBrowserTokens", "signOut"];
  return names.toSorted((a, b) => last.indexOf(a) - last.indexOf(b));
};
