import { gzipSync, zstdCompressSync } from "node:zlib";
import { type Kind, readerOf, refusalOf, sniff } from "@flamekeep/profile";
import { z } from "zod";
import { inflateLayer } from "#ingest/encode/inflate-upload.ts";
import { accepted, type Outcome, refused } from "#ingest/upload/refusal.ts";
import { parseJson } from "#json/parse-json.ts";
import { JsonFault, jsonDepthMax } from "#json/scan-json.ts";
import { compressionOf } from "#stacks/inflate.ts";
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

const acceptedFormats = new Set(["pprof", "jfr", "speedscope"]);
const otherFormats = new Set(["trie", "tree", "lines", "folded", "groups"]);
const accepts =
  "Send pprof: multipart/form-data with the part profile (what Pyroscope's Go SDK does), or the pprof itself with format=pprof. Recordings of Java are sent with format=jfr, and files of speedscope with format=speedscope.";

/** The profile in a request to `/ingest`: multipart, or the body itself. */
export function pyroscopeForm(
  format: string | undefined,
  contentType: string | undefined,
  body: Uint8Array,
): Outcome<PyroscopeForm> {
  const boundary = boundaryOf(contentType);
  const isTrie = /^binary\/octet-stream\+(trie|tree)/i.test(contentType ?? "");
  if (isTrie || (format !== undefined && !acceptedFormats.has(format))) {
    const name = format ?? contentType ?? "";
    const isOtherFormat = isTrie || otherFormats.has(name);
    return refused(
      "unprocessable",
      "format",
      `${isOtherFormat ? "The format" : "Unknown format"} ${JSON.stringify(name.slice(0, 60))} is not accepted. ${accepts}`,
    );
  }
  if (boundary !== undefined) return multipartForm(body, boundary, format === "jfr");
  const kind = sniff(body);
  const isText = kind === "text" || kind === "collapsed";
  const isRead = !isText && readerOf(body) !== undefined;
  if (format !== undefined || isRead || compressionOf(body) !== undefined) {
    return accepted({ profile: body, sampleTypeNames: undefined, isCumulative: false });
  }
  if (!isText && refusalOf(kind) !== undefined) return refusedAs(kind);
  return refused(
    "unprocessable",
    "format",
    `Without format the body means folded stacks, which are not accepted. ${accepts}`,
  );
}

function refusedAs(kind: Kind): Outcome<never> {
  return refused("unprocessable", "format", refusalOf(kind) ?? accepts);
}

function multipartForm(body: Uint8Array, boundary: string, isJfr: boolean): Outcome<PyroscopeForm> {
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
  const recording = byName.get("jfr");
  if (recording !== undefined) return recordingWithLabels(recording.body, byName.get("labels")?.body);
  const profile = byName.get("profile");
  if (profile === undefined) {
    if (isJfr)
      return refused("invalid", "multipart", "The form has no part named jfr. Send the recording in it.");
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
      "The part sample_type_config is not a JSON object of sample types.",
    );
  }
  const entries = Object.entries(parsed.data);
  return accepted({
    profile: profile.body,
    sampleTypeNames: entries.map(([name, entry]) => entry["display-name"] ?? name).join(" "),
    isCumulative: entries.some(([, entry]) => entry.cumulative === true),
  });
}

/** The agent sends the labels of ten seconds; all of them are in memory before any limit of profiles counts them. */
const labelBytesMax = 16 * 1024 * 1024;

/** A recording, with the labels of its contexts behind it. They are kept as one upload, in one compression. */
function recordingWithLabels(recording: Uint8Array, labels: Uint8Array | undefined): Outcome<PyroscopeForm> {
  const form = (profile: Uint8Array) =>
    accepted({ profile, sampleTypeNames: undefined, isCumulative: false });
  if (labels === undefined || labels.length === 0) return form(recording);
  const compression = compressionOf(recording);
  if (compression === compressionOf(labels)) return form(joined(recording, labels));
  if (compression === "lz4") {
    return refused("invalid", "compression", "Compress the part labels as the part jfr is: with LZ4.");
  }
  const plain = inflateLayer(labels, labelBytesMax, "INGEST_MAX_INFLATED_BYTES");
  if (!plain.ok) return plain;
  const packed = compression === undefined ? plain.value : compressors[compression](plain.value);
  return form(joined(recording, packed));
}

/** In separate memory, which moves to the main thread: the memory of `Buffer.concat` may be shared. */
function joined(recording: Uint8Array, labels: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(recording.length + labels.length);
  bytes.set(recording);
  bytes.set(labels, recording.length);
  return bytes;
}

const compressors = { gzip: gzipSync, zstd: zstdCompressSync };

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
