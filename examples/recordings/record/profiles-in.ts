import { gunzipSync, gzipSync } from "node:zlib";
import type { CapturedRequest } from "./capture.ts";

const isGzip = (bytes: Uint8Array) => bytes[0] === 0x1f && bytes[1] === 0x8b;

/** The files in a captured request: the profiles of a form or of a push, or the body itself. */
export async function filesIn({ url, headers, body }: CapturedRequest): Promise<Buffer[]> {
  const type = headers["content-type"] ?? "";
  if (url.startsWith("/push.v1.")) return profilesInPush(isGzip(body) ? gunzipSync(body) : body);
  if (!type.startsWith("multipart/form-data")) return [body];
  const form = await new Response(new Uint8Array(body), { headers: { "content-type": type } }).formData();
  return Promise.all(
    [...form.getAll("profile"), ...form.getAll("jfr")].map(async (part) =>
      part instanceof Blob ? Buffer.from(await part.bytes()) : Buffer.from(part),
    ),
  );
}

/** PushRequest has series (1), these have samples (2), and these a raw_profile (1). */
function profilesInPush(push: Buffer): Buffer[] {
  return lengthDelimited(push, 1)
    .flatMap((series) => lengthDelimited(series, 2))
    .flatMap((sample) => lengthDelimited(sample, 1))
    .map((profile) => (isGzip(profile) ? profile : gzipSync(profile, { level: 9 })));
}

/** The values of a field of a message that has no fields of a fixed size. */
function lengthDelimited(message: Buffer, wanted: number): Buffer[] {
  const found: Buffer[] = [];
  let at = 0;
  const varint = () => {
    let value = 0;
    for (let scale = 1; ; scale *= 128) {
      const byte = message.readUInt8(at++);
      value += (byte & 127) * scale;
      if (byte < 128) return value;
    }
  };
  while (at < message.length) {
    const key = varint();
    const value = varint();
    if (key % 8 !== 2) continue;
    if (key >> 3 === wanted) found.push(message.subarray(at, at + value));
    at += value;
  }
  return found;
}
