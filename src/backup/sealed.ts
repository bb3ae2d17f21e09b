import { BackupDamaged, BackupFailed } from "./backup-errors.ts";

/** Each stored object begins with this, and a byte that says whether it is encrypted. */
const magic = Buffer.from("SVCBAK1");
const [plain, encrypted] = [0, 1];
const [keyBytes, nonceBytes] = [32, 12];

/** Loaded when something is packed: at the start of every server it would take 3 ms. */
async function packing() {
  const [zlib, { promisify }] = await Promise.all([import("node:zlib"), import("node:util")]);
  return {
    compress: promisify(zlib.zstdCompress),
    decompress: promisify(zlib.zstdDecompress),
  };
}

/** A key that encrypts what is stored elsewhere: 32 bytes, as AES-256-GCM needs them. */
export type SealingKey = Uint8Array<ArrayBuffer>;

/** The key in SERVICE_BACKUP_KEY; null if there is none. Throws `BackupFailed` for a text that is no key, without repeating it. */
export function sealingKey(text: string | undefined): SealingKey | null {
  if (!text) return null;
  const bytes = Buffer.from(text.trim(), "base64");
  if (bytes.length !== keyBytes || bytes.toString("base64") !== text.trim())
    throw new BackupFailed(
      "backup_key_invalid",
      "SERVICE_BACKUP_KEY is not a key: 32 bytes in base64.",
      "Make one, and keep it where the backups are not: `openssl rand -base64 32`",
    );
  return new Uint8Array(bytes);
}

/** Tells keys apart, and says nothing about them. */
export const fingerprintOf = (key: SealingKey): string =>
  new Bun.CryptoHasher("sha256")
    .update("service backup key")
    .update(key)
    .digest("hex")
    .slice(0, 16);

/**
 * Bytes as they are stored: compressed, and encrypted if there is a key. `name` is bound to them, so that what was stored
 * under another name is refused when it is read.
 */
export async function seal(
  name: string,
  bytes: Uint8Array,
  key: SealingKey | null,
): Promise<Uint8Array<ArrayBuffer>> {
  const { compress } = await packing();
  const packed = await compress(bytes);
  if (!key) return joined([magic, Buffer.of(plain), packed]);
  const nonce = crypto.getRandomValues(new Uint8Array(nonceBytes));
  const sealed = await crypto.subtle.encrypt(cipher(nonce, name), await imported(key), packed);
  return joined([magic, Buffer.of(encrypted), nonce, new Uint8Array(sealed)]);
}

/** How many bytes there must be, or may be at most. No more are unpacked. */
export type Expected = { readonly exactly: number } | { readonly most: number };

/** The bytes in what was stored. Throws `BackupDamaged` or `BackupFailed`. */
export async function unseal(
  name: string,
  stored: Uint8Array<ArrayBuffer>,
  key: SealingKey | null,
  expected: Expected,
): Promise<Uint8Array> {
  const head = magic.length + 1;
  if (stored.length < head || !magic.equals(stored.subarray(0, magic.length)))
    throw new BackupDamaged(name, "it is not what this program stores");
  const most = "exactly" in expected ? expected.exactly : expected.most;
  const bytes = await unpacked(name, await opened(name, stored, key), most);
  if ("exactly" in expected && bytes.length !== most)
    throw new BackupDamaged(name, `it has ${bytes.length} bytes and not ${most}`);
  return bytes;
}

async function opened(
  name: string,
  stored: Uint8Array<ArrayBuffer>,
  key: SealingKey | null,
): Promise<Uint8Array> {
  const form = stored[magic.length];
  const rest = stored.subarray(magic.length + 1);
  if (form === plain) return rest;
  if (form !== encrypted)
    throw new BackupDamaged(name, "a newer version of this program stored it");
  if (!key)
    throw new BackupFailed(
      "backup_key_invalid",
      "This backup is encrypted, and SERVICE_BACKUP_KEY is not set.",
      "Set it to the key with which the backup was made.",
    );
  const [nonce, sealed] = [rest.subarray(0, nonceBytes), rest.subarray(nonceBytes)];
  try {
    return new Uint8Array(
      await crypto.subtle.decrypt(cipher(nonce, name), await imported(key), sealed),
    );
  } catch {
    throw new BackupDamaged(
      name,
      "SERVICE_BACKUP_KEY does not open it, or it was changed",
      "Set SERVICE_BACKUP_KEY to the key with which it was made. If it is that one, use another backup: `service backup list`",
    );
  }
}

async function unpacked(name: string, packed: Uint8Array, most: number): Promise<Uint8Array> {
  try {
    const { decompress } = await packing();
    return await decompress(packed, { maxOutputLength: Math.max(most, 1) });
  } catch (error) {
    throw new BackupDamaged(name, `it cannot be unpacked: ${(error as Error).message}`);
  }
}

const imported = (key: SealingKey) =>
  crypto.subtle.importKey("raw", key, "AES-GCM", false, ["encrypt", "decrypt"]);

const cipher = (nonce: Uint8Array<ArrayBuffer>, name: string) => ({
  name: "AES-GCM",
  iv: nonce,
  additionalData: new TextEncoder().encode(name),
});

const joined = (parts: readonly Uint8Array[]) =>
  new Uint8Array(Buffer.concat(parts)) as Uint8Array<ArrayBuffer>;
