/** The systems that the program is built for, as `npm run build -- --all` names them. */
export const programTargets = ["linux-x64", "linux-arm64", "darwin-arm64", "darwin-x64"] as const;

/** A system that the program is built for. */
export type ProgramTarget = (typeof programTargets)[number];

/** The name of the file with the program for a system. */
export const programFile = (target: ProgramTarget): string => `service-${target}`;
