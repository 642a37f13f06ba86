import { brotliDecompressSync } from "node:zlib";
import {
  type ProfileError,
  type ProfileErrorCode,
  type ReadLimits,
  refusalOf,
  sniff,
} from "@flamekeep/profile";
import { type Outcome, refused } from "#ingest/refusal.ts";

const unchanged = "Send what the profiler wrote, unchanged.";

/** Refusals of other formats include their remedy. */
const remedies: Readonly<Record<Exclude<ProfileErrorCode, "too_large" | "not_pprof" | "malformed">, string>> =
  {
    empty: unchanged,
    invalid: `Correct the program that wrote it. ${unchanged}`,
    concatenated: "Send each of them by itself.",
  };

/** The refusal reason of uploads without any profile. */
export const nothingRecorded = "profile_empty";

/** Limits whose remedy is not only a shorter recording. */
const remediesByLimit: Readonly<Partial<Record<string, string>>> = {
  bytes: "Send a shorter profile, or raise INGEST_MAX_INFLATED_BYTES on the server.",
  samples: "Send a shorter profile, or raise INGEST_MAX_SAMPLES on the server.",
  frames: "Send a shorter profile, or raise INGEST_MAX_SAMPLES on the server, which raises this limit too.",
  sampleTypes: "Send several profiles with fewer sample types each.",
  labels: "Send a shorter profile, or one with fewer labels.",
  frameText: "Send a shorter profile, or one with shorter names of functions and files.",
} satisfies Partial<Record<keyof ReadLimits, string>>;

/** Why the reader refuses an upload, and how its sender can correct that. */
export function explainRefusal(
  { code, message, field, offset }: ProfileError,
  raw: Uint8Array,
  isCompressed: boolean,
): Outcome<never> {
  if (code === "too_large") {
    const remedy = remediesByLimit[field] ?? "Send a shorter profile.";
    return refused("too_large", `profile_${field}`, `${message} ${remedy}`);
  }
  if (code === "not_pprof") return refused("invalid", "profile_not_pprof", message);
  if (isBrotli(raw)) return refused("invalid", "profile_not_pprof", refusalOf("brotli"));
  const byte = `byte ${offset}${isCompressed ? " of the decompressed profile" : ""}`;
  if (code === "malformed") {
    const fault = message.replace(/\.$/, "");
    const place = offset > 0 ? ` (${byte})` : "";
    const text = `This is not a pprof profile, or it is damaged: ${fault}${place}. ${unchanged}`;
    return refused("invalid", "profile_malformed", text);
  }
  const place = offset > 0 ? ` (${field}, ${byte})` : "";
  return refused("invalid", `profile_${code}`, `${message}${place} ${remedies[code]}`);
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
