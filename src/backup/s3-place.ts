import { mkdtempSync, rmSync, statSync } from "node:fs";
import { appendFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createPrivately, makePrivateFolder } from "../client/files/private-file.ts";
import { BackupDamaged, BackupFailed, BackupNotFound } from "./backup-errors.ts";
import { checkPart } from "./copy-part.ts";
import { nameTaken } from "./folder-place.ts";
import {
  backupNameForm,
  largestManifest,
  manifestName,
  manifestText,
  parseManifest,
  partsOf,
  readManifest,
  type Manifest,
  type Part,
} from "./manifest.ts";
import type { FoundBackup, Place } from "./place.ts";
import type { BucketClient, StoredObject } from "./s3-client.ts";
import { fingerprintOf, seal, unseal, type SealingKey } from "./sealed.ts";

/** Bytes of the database in one object, before they are packed. */
const pieceBytes = 32 * 1024 * 1024;
/** The name of an object that one backup alone has, with that backup's name. */
const ownPart = /^backups\/([a-z0-9][a-z0-9-]{0,39})\/(?:digest-key|service\.db)\.\d+$/;
/** What no backup names is kept this long, in milliseconds: another run may be about to name it. */
const orphanMs = 24 * 60 * 60 * 1000;
/** How many objects are on their way at once. */
const together = 4;

/** What a bucket's backups are kept with. */
export interface S3Parts {
  /** How a person names it. */
  readonly where: string;
  readonly bucket: BucketClient;
  /** Encrypts what is stored. Null: whoever reads the bucket reads everything. */
  readonly key: SealingKey | null;
}

/**
 * Backups in a bucket. `backups/NAME/` has a backup's own parts, `files/` each file's bytes once. The manifest is stored
 * last and removed first: without it there is no backup.
 */
export function s3Place({ where, bucket, key }: S3Parts): Place {
  const checked = (name: string): string => {
    if (!backupNameForm.test(name)) throw new BackupNotFound(name, where);
    return name;
  };
  async function names(): Promise<string[]> {
    const manifests = /^backups\/([^/]+)\/manifest\.json$/;
    return (await bucket.list("backups/")).flatMap(({ name }) => {
      const found = manifests.exec(name)?.[1];
      return found !== undefined && backupNameForm.test(found) ? [found] : [];
    });
  }
  async function manifestOf(name: string): Promise<Manifest> {
    const object = objectOf(checked(name), manifestName);
    const stored = await bucket.get(object);
    if (stored === null) throw new BackupNotFound(name, where);
    const bytes = await unseal(object, stored, key, { most: largestManifest });
    return parseManifest(object, new TextDecoder().decode(bytes));
  }
  async function list(): Promise<FoundBackup[]> {
    const found: FoundBackup[] = [];
    await forAll(await names(), async (name) => {
      const manifest = await manifestOf(name).catch(nullIfUnreadable);
      if (manifest) found.push({ name, manifest });
    });
    return found.sort(
      (one, other) =>
        other.manifest.at.localeCompare(one.manifest.at) || other.name.localeCompare(one.name),
    );
  }

  /** Removes what runs stored that broke off: parts of backups without a manifest, and files' bytes that no backup names. */
  async function removeOrphans(): Promise<void> {
    const [backups, all] = [await list(), await names()];
    const before = Date.now() - orphanMs;
    for (const { name, storedAt } of await bucket.list("backups/")) {
      const of = ownPart.exec(name)?.[1];
      if (of !== undefined && !all.includes(of) && storedAt < before) await bucket.delete(name);
    }
    // While a manifest cannot be read, nobody knows what it names.
    if (backups.length < all.length) return;
    const cited = new Set(
      backups.flatMap(({ manifest }) => manifest.files.map(({ sha256 }) => sha256)),
    );
    for (const { name, storedAt } of await bucket.list("files/"))
      if (storedAt < before && !cited.has(name.slice("files/".length, "files/".length + 64)))
        await bucket.delete(name);
  }

  return {
    where,
    isElsewhere: true,
    isEncrypted: key !== null,
    taken: names,
    list,
    manifestOf,
    async fetch(name, into) {
      const manifest = await manifestOf(name);
      const folder = into ?? mkdtempSync(join(tmpdir(), "service-backup-"));
      const done = () => rmSync(folder, { recursive: true, force: true });
      try {
        await forAll(partsOf(manifest), (part) => fetchPart(bucket, key, name, part, folder));
        createPrivately(join(folder, manifestName), manifestText(manifest));
        return { folder, done };
      } catch (error) {
        done();
        throw error;
      }
    },
    async store(name, folder, signal) {
      checked(name);
      if ((await names()).includes(name)) throw nameTaken(name);
      const manifest = readManifest(folder);
      const there = new Map((await bucket.list("files/")).map((one) => [one.name, one]));
      await forAll(partsOf(manifest), async (part) => {
        signal?.throwIfAborted();
        await storePart(bucket, key, name, part, folder, there);
      });
      signal?.throwIfAborted();
      const object = objectOf(name, manifestName);
      const bytes = new TextEncoder().encode(manifestText(manifest));
      try {
        await bucket.put(object, await seal(object, bytes, key));
        // Whoever deleted another backup meanwhile may have removed what this one shares with it.
        await requireAll(bucket, key, name, manifest);
      } catch (error) {
        // It may have been stored although the answer says otherwise, or never came.
        await bucket.delete(object).catch(() => undefined);
        throw error;
      }
    },
    async delete(name) {
      const all = await bucket.list(`backups/${checked(name)}/`);
      const manifest = objectOf(name, manifestName);
      if (!all.some((one) => one.name === manifest)) throw new BackupNotFound(name, where);
      await bucket.delete(manifest);
      for (const one of all) if (one.name !== manifest) await bucket.delete(one.name);
      await removeOrphans();
    },
  };
}

/** Refuses a backup of which an object is missing. */
async function requireAll(
  bucket: BucketClient,
  key: SealingKey | null,
  name: string,
  manifest: Manifest,
): Promise<void> {
  const there = new Set(
    [...(await bucket.list("files/")), ...(await bucket.list(`backups/${name}/`))].map(
      (one) => one.name,
    ),
  );
  for (const part of partsOf(manifest))
    for (const { object } of piecesOf(name, part, key))
      if (!there.has(object))
        throw new BackupFailed(
          "backup_place_failed",
          `${object} was removed while the backup was stored.`,
          "Make the backup again: `service backup`",
        );
}

/** Does some work for each, a few at once. No more is begun once one failed. */
async function forAll<T>(all: readonly T[], work: (one: T) => Promise<void>): Promise<void> {
  const left = [...all];
  const worker = async () => {
    for (let one = left.shift(); one !== undefined; one = left.shift())
      await work(one).catch((error: unknown) => {
        left.length = 0;
        throw error;
      });
  };
  const ends = await Promise.allSettled(Array.from({ length: together }, worker));
  for (const end of ends) if (end.status === "rejected") throw end.reason;
}

/** Null for a manifest that cannot be read: damaged, encrypted with another key, or gone. A bucket that fails is an error. */
const nullIfUnreadable = (error: unknown): null => {
  if (error instanceof BackupFailed && error.code !== "backup_place_failed") return null;
  throw error;
};

const objectOf = (name: string, path: string): string => `backups/${name}/${path}`;

/** The objects of a part: one, or for the database its pieces. */
function piecesOf(name: string, { path, size, sha256 }: Part, key: SealingKey | null) {
  // Those of files are shared by backups, so their names say with which key they were encrypted: another one cannot open them.
  if (path.startsWith("files/"))
    return [
      { object: `files/${sha256}${key ? `.aes-${fingerprintOf(key)}` : ""}`, start: 0, size },
    ];
  const count = Math.max(1, Math.ceil(size / pieceBytes));
  return Array.from({ length: count }, (_, at) => ({
    object: objectOf(name, `${path}.${at + 1}`),
    start: at * pieceBytes,
    size: Math.min(pieceBytes, size - at * pieceBytes),
  }));
}

async function storePart(
  bucket: BucketClient,
  key: SealingKey | null,
  name: string,
  part: Part,
  folder: string,
  there: ReadonlyMap<string, StoredObject>,
): Promise<void> {
  const file = Bun.file(join(folder, part.path));
  for (const { object, start, size } of piecesOf(name, part, key)) {
    const bytes = await file.slice(start, start + size).bytes();
    if (there.has(object) && (await holds(bucket, key, object, bytes))) continue;
    await bucket.put(object, await seal(object, bytes, key));
  }
}

/** Whether an object has these bytes. One of an earlier backup may have been damaged since. */
async function holds(
  bucket: BucketClient,
  key: SealingKey | null,
  object: string,
  bytes: Uint8Array,
): Promise<boolean> {
  const stored = await bucket.get(object);
  const found =
    stored &&
    (await unseal(object, stored, key, { exactly: bytes.length }).catch(nullIfUnreadable));
  return found !== null && Buffer.from(bytes).equals(found);
}

async function fetchPart(
  bucket: BucketClient,
  key: SealingKey | null,
  name: string,
  part: Part,
  folder: string,
): Promise<void> {
  const to = join(folder, part.path);
  makePrivateFolder(dirname(to));
  createPrivately(to, "");
  for (const { object, size } of piecesOf(name, part, key)) {
    const stored = await bucket.get(object);
    if (stored === null) throw new BackupDamaged(object, "it is missing");
    await appendFile(to, await unseal(object, stored, key, { exactly: size }));
  }
  if (statSync(to).size !== part.size) throw new BackupDamaged(part.path, "it has another size");
  await checkPart(part, folder);
}
