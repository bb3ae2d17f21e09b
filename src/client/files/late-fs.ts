/**
 * `node:fs` for the modules that every start of the program runs. The shortest commands need none of it, and to load it takes
 * a tenth of their time; so it is loaded when it is first asked for.
 */
export const fs = (): typeof import("node:fs") => process.getBuiltinModule("node:fs");
