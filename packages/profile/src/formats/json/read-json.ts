import type { ReadLimits } from "#model/limits.ts";
import type { Profile } from "#model/profile.ts";
import { Refusal } from "#model/profile-error.ts";
import { isChromeTrace, readChromeTrace } from "./chrome-trace.ts";
import { isCpuProfile, readCpuProfile } from "./cpuprofile.ts";
import { isFirefox, readFirefox } from "./firefox.ts";
import { isHeapProfile, readHeapProfile } from "./heapprofile.ts";
import { isObject, type JsonObject, parseJsonText } from "./json-text.ts";
import { isSpeedscope, readSpeedscope } from "./speedscope.ts";
import { isStackprof, readStackprof } from "./stackprof.ts";

interface Importer {
  /** By the properties of the whole, because their order and their length are anybody's. */
  readonly isIn: (json: JsonObject) => boolean;
  readonly read: (json: JsonObject, limits: ReadLimits) => Profile;
}

/** One more profile in JSON is one more line. */
const importers: readonly Importer[] = [
  { isIn: isSpeedscope, read: readSpeedscope },
  { isIn: isCpuProfile, read: readCpuProfile },
  { isIn: isHeapProfile, read: readHeapProfile },
  { isIn: isChromeTrace, read: readChromeTrace },
  { isIn: isFirefox, read: readFirefox },
  { isIn: isStackprof, read: readStackprof },
];

/** Profiles in JSON that are refused by their name. */
const others: readonly (Pick<Importer, "isIn"> & {
  readonly name: string;
  readonly instead?: string;
})[] = [
  { isIn: (json) => "dhatFileVersion" in json, name: "a heap profile of DHAT" },
  {
    isIn: ({ recording }) => isObject(recording) && Array.isArray(recording.instrumentTypes),
    name: "a timeline of Safari",
  },
  {
    isIn: ({ format }) => format === "profileJSONWithSymbolicationTable,1",
    name: "a profile of Cleopatra",
    instead: "Open it in Firefox Profiler, and send the file that it saves",
  },
  { isIn: (json) => "rts_arguments" in json && "cost_centres" in json, name: "a profile of GHC" },
];

/** @throws Refusal */
export function readJsonProfile(bytes: Uint8Array, limits: ReadLimits): Profile {
  const parsed = parseJsonText(bytes);
  // A trace may be a list alone.
  const json = Array.isArray(parsed) && parsed.some(isEvent) ? { traceEvents: parsed } : parsed;
  const importer = isObject(json) ? importers.find(({ isIn }) => isIn(json)) : undefined;
  if (importer !== undefined) return importer.read(json as JsonObject, limits);
  const other = isObject(json) ? others.find(({ isIn }) => isIn(json)) : undefined;
  const message =
    other === undefined
      ? "Not a profile: this is JSON, but no profile of V8, speedscope, Firefox or stackprof, and no trace of Chrome. Send such a file or pprof."
      : `Not a profile that this server reads: this is ${other.name}. ${other.instead ?? "Send pprof or speedscope instead"}.`;
  throw new Refusal("not_pprof", message, "profile", 0);
}

function isEvent(value: unknown): boolean {
  return isObject(value) && typeof value.ph === "string";
}
