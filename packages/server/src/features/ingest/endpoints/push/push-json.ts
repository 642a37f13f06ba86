import { z } from "zod";
import { accepted, type Outcome } from "#ingest/refusal.ts";
import { parseJson } from "#json/parse-json.ts";
import { JsonFault, jsonDepthMax } from "#json/scan-json.ts";
import { labelsMax, malformed, type PushSeries, tooManyLabels, tooManyProfiles } from "./push-message.ts";

const Text = z.string().nullish();
const Base64 = z.string().refine(isBase64, "invalid base64").nullish();
/** Both spellings of a field's name are valid, and null means that the field is absent. */
const PushRequest = z.object({
  series: z
    .array(
      z.object({
        labels: z.array(z.object({ name: Text, value: Text })).nullish(),
        samples: z.array(z.object({ rawProfile: Base64, raw_profile: Base64 })).nullish(),
      }),
    )
    .nullish(),
});

/** Brackets and commas: a request of so many profiles needs no more, and each costs memory once it is parsed. */
const marksPerProfile = 4 * labelsMax;
const openArray = 0x5b;
const openObject = 0x7b;
const comma = 0x2c;

/** `push.v1.PushRequest` in protobuf's JSON (https://protobuf.dev/programming-guides/json). */
export function readPushJson(message: Uint8Array, profilesMax: number): Outcome<PushSeries[]> {
  if (marksOf(message) > marksPerProfile * profilesMax) return tooManyProfiles(profilesMax);
  const json = parsed(message);
  if (!json.ok) return json;
  const request = PushRequest.safeParse(json.value);
  if (!request.success) {
    const issue = request.error.issues[0];
    return malformed(`${issue?.path.join(".") || "the message"}: ${issue?.message ?? "invalid"}`);
  }
  const read: PushSeries[] = [];
  let profiles = 0;
  for (const { labels, samples } of request.data.series ?? []) {
    if ((labels?.length ?? 0) > labelsMax) return tooManyLabels();
    profiles += Math.max(1, samples?.length ?? 0);
    if (profiles > profilesMax) return tooManyProfiles(profilesMax);
    read.push({
      labels: (labels ?? []).map(({ name, value }) => [name ?? "", value ?? ""]),
      // Validated by the schema; Node decodes both alphabets, padded or not.
      profiles: (samples ?? []).map((sample) =>
        Buffer.from(sample.rawProfile ?? sample.raw_profile ?? "", "base64"),
      ),
    });
  }
  return accepted(read);
}

/**
 * Protobuf's JSON allows the standard and the URL-safe alphabet, padded or not. `Buffer.from` cannot refuse: it skips
 * what it cannot decode. The patterns search for one character, which takes no stack for long texts.
 */
function isBase64(text: string): boolean {
  const padding = text.endsWith("==") ? 2 : text.endsWith("=") ? 1 : 0;
  if (padding > 0 ? text.length % 4 !== 0 : text.length % 4 === 1) return false;
  const digits = text.slice(0, text.length - padding);
  return !/[^A-Za-z0-9+/]/.test(digits) || !/[^A-Za-z0-9_-]/.test(digits);
}

function marksOf(message: Uint8Array): number {
  let count = 0;
  for (const byte of message) if (byte === openArray || byte === openObject || byte === comma) count++;
  return count;
}

function parsed(message: Uint8Array): Outcome<unknown> {
  try {
    return accepted(parseJson(message, { depthMax: jsonDepthMax, bytesMax: message.length }));
  } catch (error) {
    if (error instanceof JsonFault) return malformed(`${error.message} (byte ${error.offset})`);
    throw error;
  }
}
