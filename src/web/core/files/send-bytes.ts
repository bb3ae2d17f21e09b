import { retryAfterOf } from "../../../client/errors.ts";
import type { Given } from "../../../client/client.ts";
import { routes } from "../../../client/routes.ts";
import { addressOf } from "../../../contract/address.ts";
import type { OutputOf } from "../../../contract/index.ts";
import type { ErrorBody } from "../../../contract/refusal.ts";
import { ApiError, csrfToken, Unreachable } from "../connection/api.ts";

/** What `putFile` takes beside the bytes. */
export type FileQuery = NonNullable<Given<"putFile">["query"]>;

/** Bytes on their way to the server. */
export interface Sending {
  /** Fails with `ApiError`, and with `Unreachable` if there was no answer. */
  readonly answer: Promise<OutputOf<"putFile">>;
  abort(): void;
}

/** Sends a version of a file, and says how many bytes are through. Only this kind of request tells a browser so. */
export function sendBytes(
  board: string,
  query: FileQuery,
  bytes: Blob,
  key: string,
  onSent: (sent: number) => void,
): Sending {
  const [method = "", template = ""] = routes.putFile.split(" ");
  const request = new XMLHttpRequest();
  const answer = new Promise<OutputOf<"putFile">>((resolve, reject) => {
    request.open(method, addressOf(template, { params: { board }, query }));
    request.responseType = "json";
    request.setRequestHeader("content-type", "application/octet-stream");
    request.setRequestHeader("idempotency-key", key);
    request.setRequestHeader("x-service-csrf", csrfToken() ?? "");
    request.upload.addEventListener("progress", ({ loaded }) => onSent(loaded));
    for (const name of ["error", "abort", "timeout"] as const)
      request.addEventListener(name, () => reject(new Unreachable("the server does not answer")));
    request.addEventListener("load", () => {
      const data = request.response as OutputOf<"putFile"> | ErrorBody | null;
      if (data && "error" in data)
        reject(new ApiError(request.status, data, retryAfterOf(headersOf(request))));
      else if (data && request.status < 300) resolve(data);
      else reject(new Unreachable(`the server answered ${request.status} without JSON`));
    });
    request.send(bytes);
  });
  return { answer, abort: () => request.abort() };
}

function headersOf(request: XMLHttpRequest): Headers {
  const after = request.getResponseHeader("retry-after");
  return new Headers(after === null ? {} : { "retry-after": after });
}
