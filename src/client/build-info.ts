import { version } from "../../package.json";

declare const SERVICE_COMMIT: string | undefined;
declare const SERVICE_COMMIT_TIME: string | undefined;

/** Which build this is. The commit fields are there only in an executable that was built from a checkout. */
export interface BuildInfo {
  readonly version: string;
  readonly commit?: string;
  readonly commit_time?: string;
}

/** This program's build. The executable's build defines `SERVICE_COMMIT` and `SERVICE_COMMIT_TIME`. */
export const buildInfo: BuildInfo = {
  version,
  ...(typeof SERVICE_COMMIT === "string" && { commit: SERVICE_COMMIT }),
  ...(typeof SERVICE_COMMIT_TIME === "string" && { commit_time: SERVICE_COMMIT_TIME }),
};

/** The build in what a server or daemon says of itself. */
export const buildOf = ({ version: number, commit, commit_time }: BuildInfo): BuildInfo => ({
  version: number,
  ...(commit && { commit }),
  ...(commit_time && { commit_time }),
});

/** A build as a person can tell it from another one: the version, and the commit if it is known. */
export const buildName = ({ version: number, commit }: BuildInfo): string =>
  commit ? `${number} (${commit})` : number;

/**
 * Whether one build is older than another: by version, and by commit time between equal versions. A version that cannot be
 * read is older than any other, and no commit time older than any.
 */
export function isOlder(one: BuildInfo, other: BuildInfo): boolean {
  const isVersion = ({ version }: BuildInfo) => /^\d+\.\d+\.\d/.test(version);
  if (!isVersion(one) || !isVersion(other)) return !isVersion(one) && isVersion(other);
  const order = Bun.semver.order(one.version, other.version);
  if (order !== 0) return order < 0;
  return (one.commit_time ?? "") < (other.commit_time ?? "");
}
