import { setTimeout as sleep } from "node:timers/promises";
import { minuteMs } from "@flamekeep/contract/durations";
import type { Upload } from "./uploads.ts";

const retryMs = 50;
const tryMsMax = 15_000;
const uploadMsMax = 3 * minuteMs;

/** An upload that was answered with 200. */
export interface Acknowledged {
  readonly upload: Upload;
  readonly profileId: string;
  /** Of its first try. */
  readonly sentAt: number;
  readonly answeredAt: number;
  readonly tries: number;
}

/** Sends an upload again until it is acknowledged, as a sender does. Throws where a server refuses it for good. */
export async function sendUntilAcknowledged(upload: Upload, url: string, key: string): Promise<Acknowledged> {
  const sentAt = performance.now();
  let last = "";
  for (let tries = 1; performance.now() - sentAt < uploadMsMax; tries++) {
    const reply = await fetch(url + upload.path, {
      method: "POST",
      headers: { "x-api-key": key },
      body: new Uint8Array(upload.body),
      signal: AbortSignal.timeout(tryMsMax),
    })
      .then(async (answer) => ({ status: answer.status, text: await answer.text() }))
      .catch((error: Error) => ({ status: 0, text: `${error.message} ${error.cause}` }));
    last = `${reply.status} ${reply.text}`;
    if (reply.status === 200) {
      const { profile_id: profileId } = JSON.parse(reply.text) as { readonly profile_id: string };
      return { upload, profileId, sentAt, answeredAt: performance.now(), tries };
    }
    const mayTryAgain = reply.status === 0 || reply.status === 429 || reply.status >= 500;
    if (!mayTryAgain) throw new Error(`${upload.path} was refused: ${last}`);
    await sleep(retryMs);
  }
  throw new Error(`${upload.path} was not acknowledged within ${uploadMsMax / 1000} s: ${last}`);
}
