import { gzipSync, zstdCompressSync } from "node:zlib";
import { type Kind, readerOf, refusalOf, sniff } from "@flamekeep/profile";
import { z } from "zod";
import { inflateLayer } from "#ingest/encode/inflate-upload.ts";
import { accepted, type Outcome, refused } from "#ingest/upload/refusal.ts";
import { parseJson } from "#json/parse-json.ts";
import { JsonFault, jsonDepthMax } from "#json/scan-json.ts";
import { compressionOf } from "#stacks/inflate.ts";

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

export interface Part {
  readonly name: string;
  readonly filename: string | undefined;
  readonly body: Uint8Array;
}

const headerBytesMax = 8 * 1024;

/** The boundary of a multipart/form-data Content-Type, undefined for any other. */
export function boundaryOf(contentType: string | undefined): string | undefined {
  if (contentType === undefined || !/^multipart\/form-data\b/i.test(contentType)) return undefined;
  const match = /;\s*boundary=(?:"([^"]{1,70})"|([^;\s"]{1,70}))/i.exec(contentType);
  return match?.[1] ?? match?.[2];
}

/** The parts of a whole multipart/form-data body (RFC 7578), as views into it. */
export function splitMultipart(
  body: Uint8Array,
  boundary: string,
  partsMax = 16,
  tooManyParts = `it has more than ${partsMax} parts`,
): Outcome<Part[]> {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  const opening = Buffer.from(`--${boundary}`);
  const delimiter = Buffer.from(`\r\n--${boundary}`);
  const first = bytes.indexOf(opening);
  if (first < 0) {
    const isCompressed = compressionOf(body) !== undefined;
    return malformed(
      isCompressed
        ? "it is compressed. Compress its parts instead"
        : "its boundary does not occur in the body. Let your client set the Content-Type",
    );
  }
  const found: Part[] = [];
  let at = first + opening.length;
  while (!isClosing(bytes, at)) {
    if (found.length === partsMax) return malformed(tooManyParts);
    const headerStart = bytes.indexOf("\r\n", at);
    if (headerStart < 0) return malformed("it ends within a boundary");
    const headerEnd = bytes.indexOf("\r\n\r\n", headerStart);
    if (headerEnd < 0 || headerEnd - headerStart > headerBytesMax) {
      return malformed("a part has no end of headers");
    }
    const end = bytes.indexOf(delimiter, headerEnd + 2);
    if (end < 0) return malformed("the closing boundary is missing: the upload was cut off");
    const header = bytes.toString("utf8", headerStart, headerEnd);
    const disposition = /^content-disposition:([^\r\n]*)/im.exec(header)?.[1] ?? "";
    const name = parameter(disposition, "name");
    if (name === undefined) return malformed("a part has no name");
    const bodyStart = Math.min(headerEnd + 4, end);
    found.push({ name, filename: filenameOf(disposition), body: bytes.subarray(bodyStart, end) });
    at = end + delimiter.length;
  }
  return accepted(found);
}

function isClosing(bytes: Buffer, at: number): boolean {
  return bytes[at] === 0x2d && bytes[at + 1] === 0x2d;
}

/** Browsers write `"` in a name as `%22`, and other clients as `\"`. */
function parameter(disposition: string, name: string): string | undefined {
  const value = `(?:"((?:[^"\\\\]|\\\\.)*)"|([^;\\s]+))`;
  const match = new RegExp(`;\\s*${name}=${value}`, "i").exec(disposition);
  return (
    match?.[1]?.replace(/\\(["\\])|%22/g, (_, escaped: string | undefined) => escaped ?? '"') ?? match?.[2]
  );
}

/** The name in UTF-8 (RFC 8187) where a part has it, else the plain one. A part with an unreadable name is a file too. */
function filenameOf(disposition: string): string | undefined {
  const extended = parameter(disposition, "filename\\*");
  const [, encoded] = /^utf-8'[^']*'(.*)$/i.exec(extended ?? "") ?? [];
  return (encoded ? percentDecoded(encoded) : undefined) ?? parameter(disposition, "filename") ?? extended;
}

function percentDecoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch (error) {
    if (error instanceof URIError) return undefined;
    throw error;
  }
}

function malformed(what: string): Outcome<never> {
  return refused("invalid", "multipart", `The multipart body cannot be read: ${what}.`);
}
