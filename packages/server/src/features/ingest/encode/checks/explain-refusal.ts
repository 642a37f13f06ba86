import { brotliDecompressSync } from "node:zlib";
import { type ProfileType, profileTypeEntry } from "@flamekeep/contract";
import {
  type ProfileError,
  type ProfileErrorCode,
  type ReadLimits,
  readerOf,
  refusalOf,
  sniff,
} from "@flamekeep/profile";
import { type Outcome, refused } from "#ingest/upload/refusal.ts";

const unchanged = "Send the profiler's output unchanged.";

/** Refusals of other formats include their remedy. */
const remedies: Readonly<Record<Exclude<ProfileErrorCode, "too_large" | "not_pprof" | "malformed">, string>> =
  {
    empty: unchanged,
    invalid: `Correct the program that wrote it. ${unchanged}`,
    concatenated: "Send each of them by itself.",
  };

/** The refusal reason of uploads without any profile. */
export const nothingRecorded = "profile_empty";

/** The settings that raise a limit. */
const settings: Readonly<Partial<Record<string, string>>> = {
  bytes: "INGEST_MAX_INFLATED_BYTES",
  samples: "INGEST_MAX_SAMPLES",
  frames: "INGEST_MAX_SAMPLES",
} satisfies Partial<Record<keyof ReadLimits, string>>;

/** Limits that another type of content does not reach. */
const remediesByLimit: Readonly<Partial<Record<string, string>>> = {
  sampleTypes: "Send several profiles with fewer sample types each.",
  labels: "Give its samples fewer labels.",
  frameText: "Shorten the names of its functions and files.",
} satisfies Partial<Record<keyof ReadLimits, string>>;

function remedyOf(limit: string, type: ProfileType): string {
  const remedy = remediesByLimit[limit];
  if (remedy !== undefined) return remedy;
  const setting = settings[limit];
  const raised = limit === "frames" ? `${setting} (which raises this limit too)` : setting;
  return `${profileTypeEntry(type).toSendLess}${setting === undefined ? "" : `, or raise ${raised} on the server`}.`;
}

/**
 * Why the reader refuses an upload, and how its sender can correct that.
 *
 * @param expected where uploads are always of one format, its name
 */
export function explainRefusal(
  { code, message, field, offset }: ProfileError,
  raw: Uint8Array,
  isCompressed: boolean,
  type: ProfileType,
  expected = "a pprof profile",
): Outcome<never> {
  if (code === "too_large")
    return refused("too_large", `profile_${field}`, `${message} ${remedyOf(field, type)}`);
  if (code === "not_pprof") return refused("invalid", "profile_not_pprof", message);
  if (isBrotli(raw)) return refused("invalid", "profile_not_pprof", refusalOf("brotli"));
  const byte = `byte ${offset}${isCompressed ? " of the decompressed profile" : ""}`;
  const fault = message.replace(/\.$/, "");
  if (code === "malformed") {
    const place = offset > 0 ? ` (${byte})` : "";
    const doubt = readerOf(raw) === undefined ? `This is not ${expected}, or it is damaged: ` : "";
    const text = `${doubt}${fault}${place}. ${unchanged}`;
    return refused("invalid", "profile_malformed", text);
  }
  const place = offset > 0 ? ` (${field === "" ? "" : `${field}, `}${byte})` : "";
  return refused("invalid", `profile_${code}`, `${fault}${place}. ${remedies[code]}`);
}

/** Enough to recognise the content, and to exclude an accident. */
const brotliBytesMax = 64 * 1024;

/**
 * Whether unrecognised bytes are Brotli with recognised content. Brotli has no signature, so this tries: at the
 * first invalid byte the decoder stops, and it stops at a small size.
 */
function isBrotli(bytes: Uint8Array): boolean {
  if (sniff(bytes) !== "unknown") return false;
  try {
    return sniff(brotliDecompressSync(bytes, { maxOutputLength: brotliBytesMax })) !== "unknown";
  } catch (error) {
    // Streams that are not Brotli fail before they inflate to this size.
    return error instanceof Error && "code" in error && error.code === "ERR_BUFFER_TOO_LARGE";
  }
}
