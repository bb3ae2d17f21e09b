import { operationNamed, operationNames } from "../../src/contract/index.ts";

/** The source of the client's routes: method and path of every operation, without the schemas around them. */
export const routesText = (): string =>
  [
    'import type { OperationName } from "../contract/index.ts";',
    "",
    "/**",
    " * Method and path of every operation. `bun docs/generate.ts` writes this file from the contract's table, because a client",
    " * that only calls needs none of the schemas, and building them takes longer than a call.",
    " */",
    "export const routes: Record<OperationName, string> = {",
    ...operationNames.map((name) => {
      const { method, path } = operationNamed(name);
      return `  ${name}: "${method} ${path}",`;
    }),
    "};",
    "",
    "/** Whether an operation changes anything. No GET does. */",
    'export const isWrite = (name: OperationName): boolean => !routes[name].startsWith("GET ");',
    "",
  ].join("\n");
