import { decodeText } from "./text.ts";

/** What bytes look like, told from their beginning. */
export type Kind =
  | "empty"
  | "gzip"
  | "zstd"
  | "zlib"
  | "pprof"
  | "otlp"
  | "jfr"
  | "go_trace"
  | "perf_data"
  | "perf_script"
  | "elf"
  | "goroutine_dump"
  | "goroutine_text"
  | "legacy_text"
  | "legacy_cpu"
  | "pprof_text"
  | "collapsed"
  | "json"
  | "html"
  | "git_lfs"
  | "multipart"
  | "base64"
  | "text"
  | "unknown";

const kindTexts: Record<Kind, string> = {
  empty: "there are no bytes",
  gzip: "the bytes are gzip once more",
  zstd: "the bytes are zstd",
  zlib: "the bytes are zlib (RFC 1950), send gzip",
  pprof: "the bytes are damaged",
  otlp: "this is an OTLP profiles request",
  jfr: "this is a Java Flight Recorder file",
  go_trace: "this is a Go execution trace",
  perf_data: "this is a perf.data file",
  perf_script: "this is the output of perf script",
  elf: "this is an ELF program",
  goroutine_dump: "this is a goroutine dump (debug=2), fetch it without debug",
  goroutine_text: "this is a profile as text (debug=1), fetch it without debug",
  legacy_text: "this is a legacy text profile (debug=1), fetch it without debug",
  legacy_cpu: "this is a legacy gperftools CPU profile",
  pprof_text: "this is the output of go tool pprof -raw",
  collapsed: "these are collapsed stacks",
  json: "this is JSON",
  html: "this is an HTML page",
  git_lfs: "this is a Git LFS pointer, the file itself was not fetched",
  multipart: "this is a whole multipart body",
  base64: "this is base64 text, send the bytes",
  text: "this is text",
  unknown: "the bytes are not recognised",
};

/** A clause that says what a kind is, and what to send instead where that is known. */
export function sniffText(kind: Kind): string {
  return kindTexts[kind];
}

const magics: readonly (readonly [Kind, readonly number[]])[] = [
  ["gzip", [0x1f, 0x8b]],
  ["zstd", [0x28, 0xb5, 0x2f, 0xfd]],
  ["jfr", [0x46, 0x4c, 0x52, 0x00]],
  ["elf", [0x7f, 0x45, 0x4c, 0x46]],
  ["perf_data", [0x50, 0x45, 0x52, 0x46, 0x49, 0x4c, 0x45, 0x32]],
  ["perf_data", [0x32, 0x45, 0x4c, 0x49, 0x46, 0x52, 0x45, 0x50]],
  ["legacy_cpu", [0, 0, 0, 0, 0, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0]],
  ["legacy_cpu", [0, 0, 0, 0, 3, 0, 0, 0]],
  ["zlib", [0x78, 0x01]],
  ["zlib", [0x78, 0x5e]],
  ["zlib", [0x78, 0x9c]],
  ["zlib", [0x78, 0xda]],
];

const SNIFFED_BYTES = 1024;

/** Tells formats apart by magic numbers and first lines. Looks at the first KiB only. */
export function sniff(bytes: Uint8Array): Kind {
  if (bytes.length === 0) return "empty";
  for (const [kind, magic] of magics) {
    if (magic.every((byte, i) => bytes[i] === byte)) return kind;
  }
  if ((bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff)) return "text";
  const head = decodeText(bytes.subarray(0, SNIFFED_BYTES));
  if (/^go 1\.\d+ trace\0/.test(head)) return "go_trace";
  if (multipart.test(head)) return "multipart";
  if (isText(head)) return textKind(head);
  return protobufKind(bytes);
}

const multipart = /^--[^\n]{1,200}\r?\nContent-/i;

/** Valid UTF-8 without control characters; the last character may be cut. */
function isText(head: string): boolean {
  const broken = head.indexOf("\ufffd");
  if (broken >= 0 && broken < head.length - 1) return false;
  if (broken === 0) return false;
  for (let i = 0; i < head.length; i++) {
    const code = head.charCodeAt(i);
    if (code === 0x7f || (code < 0x20 && code !== 9 && code !== 10 && code !== 13)) return false;
  }
  return true;
}

const firstLines: readonly (readonly [Kind, RegExp])[] = [
  ["git_lfs", /^version https:\/\/git-lfs/],
  ["goroutine_dump", /^goroutine \d+ (gp=\S+ )?[^[\n]{0,80}\[/m],
  ["goroutine_text", /^(goroutine|threadcreate) profile: total /],
  ["legacy_text", /^(heap profile:|heapz |growthz |allocz |--- ?(contention|mutex|threadz?|heapz|growthz))/],
  ["legacy_text", /^(MAPPED_LIBRARIES:|\S{1,80} profile: total \d)/],
  ["pprof_text", /^PeriodType: /],
  ["html", /^(<!doctype html|<html|<\?xml|<head|<body)/i],
  ["json", /^[[{]/],
  ["base64", /^H4sI[A-Za-z0-9+/\r\n]{16,}/],
  ["perf_script", /^\S[^\n]{0,200}\s\d+[/\s][^\n]{0,200}\d+\.\d+:[^\n]*\n\s+[0-9a-f]{4,16} /],
  ["collapsed", /^[^\n]{0,900};[^\n]{0,900} \d+\r?(\n|$)/],
];

function textKind(head: string): Kind {
  const text = head.trimStart();
  for (const [kind, pattern] of firstLines) if (pattern.test(text)) return kind;
  return "text";
}

/**
 * pprof and an OTLP request both begin with field 1, a message. In pprof it is a value type, whose fields are
 * numbers; in OTLP it is resource profiles, whose fields are messages.
 */
function protobufKind(bytes: Uint8Array): Kind {
  const tag = bytes[0]!;
  const field = tag >>> 3;
  const type = tag & 7;
  if (field < 1 || field > 15) return "unknown";
  const isMessage = field <= 6 || field === 11;
  if (type !== (isMessage ? 2 : 0) && !(field === 13 && type === 2)) return "unknown";
  if (field !== 1) return "pprof";
  let inner = 1;
  while (inner < 11 && bytes[inner]! >= 0x80) inner++;
  return bytes[inner + 1] === 0x0a ? "otlp" : "pprof";
}
