import type { ReadLimits } from "#model/limits.ts";
import type { Profile } from "#model/profile.ts";
import { areCollapsed, readCollapsed } from "./collapsed.ts";
import { dtraceBeginning, readDtrace } from "./dtrace.ts";
import { isFramedOtlp, readFramedOtlp } from "./framed-otlp.ts";
import { goTextHeader, readGoText } from "./go-text.ts";
import { readGoroutineDump } from "./goroutine-dump.ts";
import { instrumentsBeginning, readInstruments } from "./instruments.ts";
import { pprofOfRecording } from "./jfr/pprof-of-recording.ts";
import { readJsonProfile } from "./json/read-json.ts";
import { isLegacyCpu, readLegacyCpu } from "./legacy/cpu-profile.ts";
import { readLegacyText } from "./legacy/text-profile.ts";
import { readOtlpJson } from "./otlp/otlp-json.ts";
import { readOtlp } from "./otlp/read-otlp.ts";
import { isOtlpRequest } from "./otlp/request.ts";
import { isPerfScript, readPerfScript } from "./perf/perf-script.ts";
import { pstatsBeginnings, readPstats } from "./python/pstats.ts";

/** The beginning of an upload, as signatures look at it. */
export interface Head {
  readonly bytes: Uint8Array;
  /** The first KiB as UTF-8. */
  readonly text: string;
  /** `text` without leading spaces; undefined where the bytes are no text. */
  readonly line: string | undefined;
}

type Signature = (head: Head) => boolean;

interface Format<K extends string> {
  readonly kind: K;
  readonly isIn: Signature;
  /** Follows "this is". */
  readonly name: string;
  /** Advice for the sender: a sentence. */
  readonly advice: string;
  readonly read?: Read;
}

/**
 * Reads the whole upload, which its signature matched, or converts it to pprof.
 * @throws Refusal
 */
export type Read = (bytes: Uint8Array, limits: ReadLimits) => Profile | Uint8Array;

const guide = "/docs on this server names converters and profilers that write pprof, under Other formats";
const record = `Send pprof instead: ${guide}`;
const unpack = "Send the profile in it by itself.";
const recompress = "Send it compressed with gzip, zstd or LZ4, or not at all.";
const fromDrawing = "Send the profile that it was drawn from.";
const sendToOwnCall = "POST it to /api/v1/ingest/profiles, which reads it.";
const sendToOtlp = "POST it to /v1development/profiles.";

/**
 * The recognised formats other than pprof. The first matching signature names the format, so that specific signatures
 * come before general ones. One more format is one more entry; with `read` it is accepted, without it refused with its advice.
 */
export const formats = [
  format("gzip", starts("\x1f\x8b"), "gzip within gzip", "Compress it once."),
  format("zstd", starts("\x28\xb5\x2f\xfd"), "zstd within another compression", "Compress it once."),
  format("zlib", starts("\x78\x01", "\x78\x5e", "\x78\x9c", "\x78\xda"), "zlib (RFC 1950)", recompress),
  format("xz", starts("\xfd7zXZ\0"), "xz", recompress),
  format("bzip2", starts("BZh"), "bzip2", recompress),
  format("lz4", starts("\x04\x22\x4d\x18"), "LZ4 within another compression", "Compress it once."),
  format("snappy", starts("\xff\x06\0\0sNaPpY"), "Snappy", recompress),
  // It has no signature: only a decoder can recognise it.
  format("brotli", () => false, "Brotli", recompress),
  format("zip", starts("PK\x03\x04"), "a ZIP archive", unpack),
  format("tar", at(257, "ustar"), "a tar archive", unpack),
  format("jfr", starts("FLR\0"), "a Java Flight Recorder file", sendToOwnCall, pprofOfRecording),
  format("hprof", starts("JAVA PROFILE 1."), "a Java heap dump", "A dump is no profile: send pprof."),
  format("go_trace", matches(/^go 1\.\d+ trace\0/), "a Go execution trace", "Fetch /debug/pprof/profile."),
  format(
    "perf_data",
    starts("PERFILE2", "2ELIFREP"),
    "a perf.data file",
    "Send the output of perf script --inline, or convert it with perf_to_profile.",
  ),
  format(
    "simpleperf",
    starts("SIMPLEPERF"),
    "a file of Android's simpleperf",
    "Send the output of simpleperf report-sample or perf script.",
  ),
  format("streaming_trace", starts("SLOW"), "a method trace of Android", `${record}.`),
  format("nettrace", starts("Nettrace"), "a .NET trace", `${record}.`),
  format("gmon", starts("gmon"), "the output of gprof's instrumentation", `${record}.`),
  format("image", starts("\x89PNG", "\xff\xd8\xff", "GIF8"), "an image", fromDrawing),
  format("pdf", starts("%PDF-"), "a PDF document", fromDrawing),
  format("parquet", starts("PAR1"), "a Parquet file", `${record}.`),
  format("program", isProgram, "a program", "Send the profile that was recorded of it."),
  format(
    "legacy_cpu",
    ({ bytes }) => isLegacyCpu(bytes),
    "a legacy gperftools CPU profile",
    sendToOwnCall,
    readLegacyCpu,
  ),
  format(
    "pstats",
    starts(...pstatsBeginnings),
    "the statistics of Python's cProfile",
    sendToOwnCall,
    readPstats,
  ),
  format(
    "cpupro",
    starts("\0\0JSONXL"),
    "a file that CPUpro compressed",
    "Send the .cpuprofile or trace that it was made of.",
  ),
  format("utf32", starts("\xff\xfe\0\0", "\0\0\xfe\xff"), "text in UTF-32", "Write the file as UTF-8."),
  format(
    "utf16",
    starts("\xff\xfe", "\xfe\xff"),
    "text in UTF-16",
    "Write the file as bytes: PowerShell's > makes text of it.",
  ),
  format(
    "multipart",
    matches(/^--[^\n]{1,200}\r?\nContent-/i),
    "a whole multipart body",
    "Send the part that holds the profile, or the form without compression to /api/v1/ingest/profiles, with its boundary in the Content-Type.",
  ),
  format(
    "git_lfs",
    line(/^version https:\/\/git-lfs/),
    "a Git LFS pointer",
    "Fetch the file itself: git lfs pull.",
  ),
  format(
    "goroutine_dump",
    line(/^goroutine \d+ (gp=\S+ )?[^[\n]{0,80}\[/m),
    "a goroutine dump (debug=2)",
    sendToOwnCall,
    readGoroutineDump,
  ),
  format("go_text", line(goTextHeader), "a profile as text (debug=1)", sendToOwnCall, readGoText),
  format("jemalloc", line(/^heap_v2\/\d/), "a jemalloc heap profile", sendToOwnCall, readLegacyText),
  format(
    "legacy_text",
    line(
      /^(heap profile:|--- ?(contention|mutex|heapz|threadz|Thread [0-9a-f]+ \()|\S{1,80} profile: total \d)/,
    ),
    "a legacy text profile (debug=1)",
    sendToOwnCall,
    readLegacyText,
  ),
  format("legacy_symbols", line(/^(--- ?symbol|MAPPED_LIBRARIES:)/), "a legacy text profile", converted()),
  format(
    "pprof_text",
    line(/^PeriodType: /),
    "the output of go tool pprof -raw",
    "Send the profile that it was made of.",
  ),
  format(
    "callgrind",
    line(/^(# callgrind format|version: \d+\r?\ncreator: )/),
    "a Callgrind profile",
    `${record}.`,
  ),
  format("svg", line(/^(<\?xml[^>]*>\s*)?(<!doctype svg[^>]*>\s*)?<svg[\s>]/i), "an SVG image", fromDrawing),
  format(
    "html",
    line(/^(<!doctype html|<html|<head|<body)/i),
    "an HTML page",
    "It is probably an error or a login page: check the address it was fetched from.",
  ),
  format("xml", line(/^<\?xml/i), "XML", `${record}.`),
  format(
    "otlp_json",
    line(/^\{\s*"(resource_?[pP]rofiles|dictionary)"/),
    "an OTLP profiles request as JSON",
    sendToOtlp,
    readOtlpJson,
  ),
  format(
    "speedscope",
    line(/^\{(\s*"shared"\s*:\s*\{\s*"frames"|[\s\S]*"https:\/\/www\.speedscope\.app\/)/),
    "a speedscope file",
    sendToOwnCall,
    readJsonProfile,
  ),
  format(
    "cpuprofile",
    line(/^\{\s*"nodes"\s*:\s*\[\s*\{\s*"id"\s*:\s*\d+\s*,\s*"callFrame"/),
    "a .cpuprofile of V8",
    sendToOwnCall,
    readJsonProfile,
  ),
  format(
    "heapprofile",
    line(/^\{\s*"head"\s*:\s*\{\s*"callFrame"/),
    "a .heapprofile of V8",
    sendToOwnCall,
    readJsonProfile,
  ),
  format(
    "heapsnapshot",
    line(/^\{\s*"snapshot"\s*:\s*\{\s*"meta"/),
    "a heap snapshot of V8",
    "A snapshot is no profile: send pprof.",
  ),
  format(
    "chrome_trace",
    line(/^(\{\s*"traceEvents"|\[\s*\{[\s\S]*"ph"\s*:)/),
    "a Chrome trace",
    sendToOwnCall,
    readJsonProfile,
  ),
  format(
    "firefox",
    line(/^\{\s*"meta"\s*:\s*\{[\s\S]*"(stackwalk|processType|preprocessedProfileVersion)"/),
    "a Firefox profile",
    sendToOwnCall,
    readJsonProfile,
  ),
  // Collapsed stacks may begin with `[main tid=7]` or `{closure}`.
  format("json", line(/^(\{\s*["}]|\[\s*["{[\]\d-])/), "JSON", sendToOwnCall, readJsonProfile),
  format("base64", line(/^H4sI[A-Za-z0-9+/\r\n]{16,}/), "base64 text", "Decode it and send the bytes."),
  format(
    "perf_script",
    ({ line: text }) => text !== undefined && isPerfScript(text),
    "the output of perf script",
    sendToOwnCall,
    readPerfScript,
  ),
  format(
    "collapsed",
    ({ line: text }) => text !== undefined && areCollapsed(text),
    "collapsed stacks",
    sendToOwnCall,
    readCollapsed,
  ),
  format("dtrace", line(dtraceBeginning), "stacks of DTrace", sendToOwnCall, readDtrace),
  format(
    "instruments",
    line(instrumentsBeginning),
    "a call tree copied from Instruments",
    sendToOwnCall,
    readInstruments,
  ),
  format(
    "v8_log",
    line(/^v8-version,/),
    "the log of node --prof",
    "Send the .cpuprofile of node --cpu-prof.",
  ),
  format("macos_sample", line(/^Analysis of sampling /), "the output of sample (macOS)", `${record}.`),
  format("ghc", line(/Time and Allocation Profiling Report/), "a profile report of GHC", `${record}.`),
  format("pmcstat", line(/^@ \S+ \[\d+ samples\]/), "a call graph of pmcstat", `${record}.`),
  format("art_trace", line(/^\*version\r?\n\d/), "a method trace of Android", `${record}.`),
  format("text", line(/^/), "text", "It is probably an error message of what should have made the profile."),
  format(
    "otlp_framed",
    ({ bytes }) => isFramedOtlp(bytes),
    "a file of OTLP requests, each after its length",
    sendToOwnCall,
    readFramedOtlp,
  ),
  format("otlp", ({ bytes }) => isOtlpRequest(bytes), "an OTLP profiles request", sendToOtlp, readOtlp),
] as const;

/** A format as recognised from its first bytes. `pprof` may still be damaged. */
export type Kind = (typeof formats)[number]["kind"] | "empty" | "pprof" | "unknown";

function format<K extends string>(
  kind: K,
  isIn: Signature,
  name: string,
  advice: string,
  read?: Read,
): Format<K> {
  return { kind, isIn, name, advice, ...(read && { read }) };
}

function converted(): string {
  return "Convert it: go tool pprof -proto -output profile.pb.gz PROGRAM FILE.";
}

/** `magics` are bytes as Latin-1. */
function starts(...magics: string[]): Signature {
  return ({ bytes }) => magics.some((magic) => isAt(bytes, 0, magic));
}

function at(offset: number, magic: string): Signature {
  return ({ bytes }) => isAt(bytes, offset, magic);
}

/** Of Linux, Windows, macOS or WebAssembly, or a class of Java, which begins as a program of macOS for several processors. Text may begin with MZ. */
function isProgram({ bytes, line: text }: Head): boolean {
  const magics = ["\x7fELF", "\xcf\xfa\xed\xfe", "\xca\xfe\xba\xbe", "\0asm"];
  return magics.some((magic) => isAt(bytes, 0, magic)) || (text === undefined && isAt(bytes, 0, "MZ"));
}

function isAt(bytes: Uint8Array, offset: number, magic: string): boolean {
  for (let i = 0; i < magic.length; i++) if (bytes[offset + i] !== magic.charCodeAt(i)) return false;
  return true;
}

/** Of bytes that need not be text. */
function matches(pattern: RegExp): Signature {
  return ({ text }) => pattern.test(text);
}

/** Of text alone. */
function line(pattern: RegExp): Signature {
  return (head) => head.line !== undefined && pattern.test(head.line);
}
