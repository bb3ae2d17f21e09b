import { BackupFailed } from "./backup-errors.ts";
import type { Bucket } from "./s3-client.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** Reads `s3://BUCKET/PREFIX`. Keys and endpoint come from the environment alone. Throws `BackupFailed`. */
export function bucketAt(where: string, env: Environment): Bucket {
  const url = URL.parse(where);
  if (!url || url.username || url.password || url.search || url.hash || url.port)
    return refuseAddress();
  const prefix = (decoded(url.pathname) ?? refuseAddress()).replace(/^\/+|\/+$/g, "");
  const region = env["AWS_REGION"] ?? env["AWS_DEFAULT_REGION"] ?? "us-east-1";
  const accessKeyId = env["AWS_ACCESS_KEY_ID"];
  const secretAccessKey = env["AWS_SECRET_ACCESS_KEY"];
  if (!url.host || !accessKeyId || !secretAccessKey)
    throw new BackupFailed(
      "storage_unsupported",
      url.host ? `There is no key for ${where}.` : `${where} names no bucket.`,
      url.host ? "Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY." : "Write `s3://BUCKET/PREFIX`.",
    );
  return {
    bucket: url.host,
    prefix: prefix && `${prefix}/`,
    accessKeyId,
    secretAccessKey,
    endpoint: endpointIn(env) ?? `https://s3.${region}.amazonaws.com`,
    region,
    sessionToken: env["AWS_SESSION_TOKEN"],
  };
}

function refuseAddress(): never {
  throw new BackupFailed(
    "storage_unsupported",
    "That is not a bucket: keys and endpoint do not belong into its address.",
    "Write `s3://BUCKET/PREFIX`, and set AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and AWS_ENDPOINT_URL.",
  );
}

/** Null for a text in which a percent sign is followed by anything else than it should be. */
function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

const loopback = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** The endpoint of a service that speaks S3; undefined for the one that made it. Keys would go in clear to one without https. */
function endpointIn(env: Environment): string | undefined {
  const text = env["AWS_ENDPOINT_URL_S3"] ?? env["AWS_ENDPOINT_URL"];
  if (!text) return undefined;
  const url = URL.parse(text);
  const safe =
    url?.protocol === "https:" || (url?.protocol === "http:" && loopback.test(url.hostname));
  if (url && safe && !url.username && !url.password) return text.replace(/\/+$/, "");
  throw new BackupFailed(
    "storage_unsupported",
    "AWS_ENDPOINT_URL is not an https address without a user and a password.",
    "Set it to `https://HOST`. Without https only this machine's own address is taken.",
  );
}
