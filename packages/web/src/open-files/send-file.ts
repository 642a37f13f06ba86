import type { openFile, openProfileFile, ReplyOf } from "@flamekeep/contract";
import { minuteMs } from "@flamekeep/contract/durations";
import { callRaw } from "#api/call.ts";
import { readReply } from "#api/reply.ts";

/** A large file over a slow line. */
const timeoutMs = 30 * minuteMs;

/** Calls whose body is a file. */
type FileCall = typeof openFile | typeof openProfileFile;

export interface Sending {
  readonly query: Readonly<Record<string, string>>;
  /** @param fraction of the bytes that are sent */
  readonly onProgress: (fraction: number) => void;
  readonly signal: AbortSignal;
}

/** Uploads a file; fails as every call does. */
export async function sendFile<C extends FileCall>(
  call: C,
  file: File,
  { query, onProgress, signal }: Sending,
): Promise<ReplyOf<C>> {
  const transport = (url: string, init: RequestInit) => transfer(file, url, { ...init, onProgress });
  return readReply(call, await callRaw(call, { query, signal, timeoutMs, transport }));
}

/** As `fetch`, which does not say how many bytes are sent. */
function transfer(
  file: File,
  url: string,
  { method = "POST", headers, signal, onProgress }: RequestInit & Pick<Sending, "onProgress">,
): Promise<Response> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const abort = () => request.abort();
    request.open(method, url);
    for (const [name, value] of new Headers(headers)) request.setRequestHeader(name, value);
    request.setRequestHeader("Content-Type", "application/octet-stream");
    request.upload.onprogress = ({ loaded, total }) => onProgress(total === 0 ? 1 : loaded / total);
    request.onload = () => {
      const retryAfter = request.getResponseHeader("Retry-After");
      const headers = retryAfter === null ? {} : { "Retry-After": retryAfter };
      resolve(new Response(request.responseText, { status: request.status, headers }));
    };
    request.onerror = () => reject(new TypeError("The upload was interrupted"));
    request.onabort = () => reject(signal?.reason);
    request.onloadend = () => signal?.removeEventListener("abort", abort);
    signal?.addEventListener("abort", abort);
    request.send(file);
  });
}
