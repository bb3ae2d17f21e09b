import { isAbsolute } from "node:path";
import { BackupFailed } from "./backup-errors.ts";
import { folderPlace } from "./folder-place.ts";
import type { Place } from "./place.ts";
import { bucketClient } from "./s3-client.ts";
import { s3Place } from "./s3-place.ts";
import { bucketAt } from "./s3-settings.ts";
import { sealingKey } from "./sealed.ts";

/**
 * The place that a `--to` or a restore names: an absolute folder, or a bucket, whose keys and endpoint come from the
 * environment. This is the one place that knows the kinds of places. Throws `BackupFailed`.
 */
export function placeAt(where: string, env: Readonly<Record<string, string | undefined>>): Place {
  if (isAbsolute(where)) return folderPlace(where);
  if (where.startsWith("s3://"))
    return s3Place({
      where,
      bucket: bucketClient(bucketAt(where, env)),
      key: sealingKey(env["SERVICE_BACKUP_KEY"]),
    });
  const shown = URL.parse(where)?.password ? "It" : where;
  throw new BackupFailed(
    "storage_unsupported",
    `${shown} is not a place for backups.`,
    "Name an absolute folder, such as `/srv/backups`, or a bucket: `s3://BUCKET/PREFIX`.",
  );
}
