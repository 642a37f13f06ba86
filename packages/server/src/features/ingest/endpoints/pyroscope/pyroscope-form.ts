import { type Kind, refusalOf, sniff } from "@flamekeep/profile";
import { z } from "zod";
import { compressionOf } from "#decoding/inflate.ts";
import { accepted, type Outcome, refused } from "#ingest/refusal.ts";
import { parseJson } from "#json/parse-json.ts";
import { JsonFault, jsonDepthMax } from "#json/scan-json.ts";
import { boundaryOf, splitMultipart } from "./multipart.ts";

export interface PyroscopeForm {
  readonly profile: Uint8Array;
  /** `display-name`s and names of the sample types, in one text; nothing else distinguishes mutex from block. */
  readonly sampleTypeNames: string | undefined;
  /** Old SDKs sent counters since the start and said so. */
  readonly isCumulative: boolean;
}

const SampleTypeConfig = z.record(
  z.string(),
  z.object({ "display-name": z.string().optional(), cumulative: z.boolean().optional() }).loose(),
);

const otherFormats = new Set(["trie", "tree", "lines", "folded", "groups"]);
const recognisedFormats = new Set(["jfr", "speedscope"] as const);
const accepts =
  "Send pprof: multipart/form-data with the part profile (what Pyroscope's Go SDK does), or the pprof itself with format=pprof.";

/** The profile in a request to `/ingest`: multipart, or the body itself. */
export function pyroscopeForm(
  format: string | undefined,
  contentType: string | undefined,
  body: Uint8Array,
): Outcome<PyroscopeForm> {
  const boundary = boundaryOf(contentType);
  const isTrie = /^binary\/octet-stream\+(trie|tree)/i.test(contentType ?? "");
  if (isTrie || (format !== undefined && format !== "pprof")) {
    const name = format ?? contentType ?? "";
    for (const kind of recognisedFormats) if (name === kind) return refusedAs(kind);
    const isOtherFormat = isTrie || otherFormats.has(name);
    return refused(
      "unprocessable",
      "format",
      `${isOtherFormat ? "The format" : "Unknown format"} ${JSON.stringify(name.slice(0, 60))} is not accepted. ${accepts}`,
    );
  }
  if (boundary !== undefined) return multipartForm(body, boundary);
  if (format === "pprof" || compressionOf(body) !== undefined) {
    return accepted({ profile: body, sampleTypeNames: undefined, isCumulative: false });
  }
  const kind = sniff(body);
  if (kind !== "text" && kind !== "collapsed" && refusalOf(kind) !== undefined) return refusedAs(kind);
  return refused(
    "unprocessable",
    "format",
    `Without format the body means folded stacks, which are not accepted. ${accepts}`,
  );
}

function refusedAs(kind: Kind): Outcome<never> {
  return refused("unprocessable", "format", refusalOf(kind) ?? accepts);
}

function multipartForm(body: Uint8Array, boundary: string): Outcome<PyroscopeForm> {
  const read = splitMultipart(body, boundary);
  if (!read.ok) return read;
  const byName = new Map(read.value.map((part) => [part.name, part]));
  if (byName.has("prev_profile")) {
    return refused(
      "unprocessable",
      "format",
      "The part prev_profile is not accepted: send deltas, or update the SDK.",
    );
  }
  if (byName.has("jfr")) {
    return refusedAs("jfr");
  }
  const profile = byName.get("profile");
  if (profile === undefined) {
    return refused("invalid", "multipart", `The form has no part named profile. ${accepts}`);
  }
  const config = byName.get("sample_type_config");
  if (config === undefined) {
    return accepted({ profile: profile.body, sampleTypeNames: undefined, isCumulative: false });
  }
  const parsed = SampleTypeConfig.safeParse(json(config.body));
  if (!parsed.success) {
    return refused(
      "invalid",
      "sample_type_config",
      "The part sample_type_config is not the JSON object of sample types it should be.",
    );
  }
  const entries = Object.entries(parsed.data);
  return accepted({
    profile: profile.body,
    sampleTypeNames: entries.map(([name, entry]) => entry["display-name"] ?? name).join(" "),
    isCumulative: entries.some(([, entry]) => entry.cumulative === true),
  });
}

/** SDKs send some hundred bytes. */
const configLimits = { depthMax: jsonDepthMax, bytesMax: 64 * 1024 };

function json(bytes: Uint8Array): unknown {
  try {
    return parseJson(bytes, configLimits);
  } catch (error) {
    if (error instanceof JsonFault) return undefined;
    throw error;
  }
}
