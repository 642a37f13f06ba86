import type { ProfileError, ProfileErrorCode, ReadLimits } from "@flamekeep/profile";
import { type Outcome, refused } from "./refusal.ts";

const unchanged = "Send what the profiler wrote, such as the answer of /debug/pprof/profile, unchanged.";

const remedies: Readonly<Record<Exclude<ProfileErrorCode, "too_large">, string>> = {
  empty: unchanged,
  not_pprof: unchanged,
  malformed: `It is cut off or damaged. ${unchanged}`,
  invalid: `Correct the program that wrote it. ${unchanged}`,
  concatenated: "Send each of them by itself.",
};

/** Where less of the recording is not the whole answer. */
const remediesByLimit: Readonly<Partial<Record<string, string>>> = {
  bytes: "Send a shorter profile, or raise INGEST_MAX_INFLATED_BYTES on the server.",
  samples: "Send a shorter profile, or raise INGEST_MAX_SAMPLES on the server.",
  sampleTypes: "Send several profiles with fewer sample types each.",
  labels: "Send a shorter profile, or one with fewer labels.",
  frameText: "Send a shorter profile, or one with shorter names of functions and files.",
} satisfies Partial<Record<keyof ReadLimits, string>>;

/** Why the reader takes no profile from an upload, and what its sender can do about that. */
export function explained({ code, message, field, offset }: ProfileError): Outcome<never> {
  if (code === "too_large") {
    const remedy = remediesByLimit[field] ?? "Send a shorter profile.";
    return refused("too_large", `profile_${field}`, `${message} ${remedy}`);
  }
  const place = offset > 0 ? ` (${field}, byte ${offset} of the decompressed profile)` : "";
  return refused("invalid", `profile_${code}`, `${message}${place} ${remedies[code]}`);
}
