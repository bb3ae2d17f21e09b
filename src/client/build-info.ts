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
