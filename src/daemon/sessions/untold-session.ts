import type { SessionKey, SessionRow } from "../../db/journal/journal-sessions.ts";
import type { Harness } from "../harnesses/harness.ts";
import { unknownSession } from "./requests/session-answers.ts";

/** A session that no hook has told of. Its harness may know it all the same; else this throws. */
export async function untoldSession(
  { check }: Harness,
  key: SessionKey,
  configDir: string | null,
): Promise<SessionRow> {
  if (!check) throw unknownSession(key);
  await check(key.id, configDir);
  const boot = `boot_${crypto.randomUUID()}`;
  return { ...key, boot, pid: null, start: null, open: 1, turned: 0, config_dir: configDir };
}
