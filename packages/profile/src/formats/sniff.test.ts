import { readdirSync, readFileSync } from "node:fs";
import { brotliCompressSync, gzipSync, zstdCompressSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { readProfile } from "#read/read-profile.ts";
import { writeProfile } from "#write/write-profile.ts";
import { profileOf } from "../testing/index.ts";
import { formats } from "./formats.ts";
import { type Kind, readerOf, refusalOf, sniff } from "./sniff.ts";

const folder = new URL("../fixtures/formats/", import.meta.url);
/** Beginnings of files that real tools wrote, named KIND.ANYTHING; see the README of the fixtures. */
const samples = readdirSync(folder).map((file) => ({
  file,
  kind: file.split(".")[0] as Kind,
  bytes: readFileSync(new URL(file, folder)),
}));

const texts: [kind: Kind, text: string][] = [
  ["goroutine_dump", "goroutine 7 [chan receive, 5 minutes]:\n"],
  ["go_text", "--- contention:\ncycles/second=1\n"],
  ["legacy_text", "--- heapz 1 ---\n"],
  ["legacy_text", "--- threadz 1 ---\n"],
  ["perf_script", "java 19983 cycles:\nffffffff8103d0ca native_write_msr_safe ([kernel.kallsyms])\n"],
  ["perf_script", "  w 27438 25331.210308:  1 page-faults: \n  w 27438 25331.3:  1 page-faults: \n"],
  ["perf_script", "w \n\tffffffff81775dda elf_load\n"],
  ["perf_script", "# ========\n# captured on    : Mon Nov 30 13:37:28 2026\n"],
  [
    "perf_script",
    "shop\t25122 [007] 115539.936601:\t\t1000000 task-clock:u:\n        b3cea6c4\tmain (/srv/shop)\n",
  ],
  ["dtrace", "CPU     ID                    FUNCTION:NAME\n  0  64091   :tick-60s\n"],
  ["dtrace", "libc.so.1`read+0x7\n   shop`main+0x1f\n   14\n"],
  ["instruments", "Running Time\tSelf (ms)\t\tSymbol Name\n"],
  ["macos_sample", "Analysis of sampling shop (pid 7) every 1 millisecond\n"],
  ["ghc", "\tSun Aug  6 14:52 2023 Time and Allocation Profiling Report  (Final)\n"],
  ["pmcstat", "@ inst_retired.any [35705 samples]\n"],
  ["v8_log", "v8-version,13,6,233,17,-node.37,0\n"],
  ["art_trace", "*version\n3\n"],
  ["callgrind", "version: 1\ncreator: xdebug 3.0.2\n"],
  ["html", "<!DOCTYPE html><html>"],
  ["html", "\ufeff<html>"],
  ["json", "\n [1]"],
  ["otlp_json", '{\n  "resource_profiles": []}'],
  [
    "speedscope",
    '{"exporter":"x","name":"y","$schema":"https://www.speedscope.app/file-format-schema.json"}',
  ],
  ["chrome_trace", '[{"name":"f","cat":"c","ph":"X","ts":1}]'],
  ["collapsed", "main;handle;encode 12\nmain;gc 3\n"],
  ["collapsed", "MZ;handle 12\nMZ;gc 3\n"],
  ["text", "404 page not found\n"],
  ["text", "error; version 1.2.3\n"],
  ["text", "the limit is 1.5\n"],
];
const binaries: [kind: Kind, bytes: number[]][] = [
  ["empty", []],
  ["cpupro", [...Buffer.from("\0\0JSONXL\x09\0\0\0")]],
  ["utf32", [0xff, 0xfe, 0, 0, 0x6d, 0, 0, 0]],
  ["utf32", [0, 0, 0xfe, 0xff, 0, 0, 0, 0x6d]],
  ["program", [...Buffer.from("MZ\x90\0\x03\0\0\0", "latin1")]],
  ["program", [0xcf, 0xfa, 0xed, 0xfe, 7, 0, 0, 1]],
  ["program", [...Buffer.from("\0asm\x01\0\0\0")]],
  ["parquet", [...Buffer.from("PAR1\x15\x06\x15\x40")]],
  ["simpleperf", [...Buffer.from("SIMPLEPERF\0\x01\0")]],
  ["streaming_trace", [...Buffer.from("SLOW\xf3\0\x20\0", "latin1")]],
  ["legacy_cpu", [0, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0]],
  ["pstats", [0x7b, 0x29, 3, 0xfa]],
  ["pstats", [0x7b, 0x28, 3, 0, 0, 0, 0x73]],
  ["pprof", [0x0a, 4, 8, 1, 16, 2]],
  // A sample without a stack, with two values.
  ["pprof", [0x12, 6, 0x0a, 0, 0x12, 2, 5, 7]],
  ["otlp", [0x0a, 5, 0x0a, 3, 0x0a, 1, 8]],
  ["otlp", [0x12, 2, 0x0a, 0]],
  ["otlp", [0x12, 6, 0x0a, 0, 0x12, 0, 0x1a, 0]],
  ["otlp_framed", [0, 0, 0, 4, 0x12, 2, 0x0a, 0]],
  ["unknown", [0xff, 0, 1, 2]],
];

describe("recognising formats", () => {
  it.each(samples)("$file", ({ kind, bytes }) => {
    expect(sniff(bytes)).toBe(kind);
  });

  it.each(texts)("%s: %j", (kind, text) => {
    expect(sniff(Buffer.from(text))).toBe(kind);
  });

  it.each(binaries)("%s: %j", (kind, bytes) => {
    expect(sniff(Uint8Array.from(bytes))).toBe(kind);
  });

  it.each([
    ["collapsed", "main;handle 12\nmain;gc 3\n"],
    ["go_text", "goroutine profile: total 2\n2 @ 0x1\n#\t0x1\tmain.serve+0x2\t/main.go:3\n\n"],
    [
      "perf_script",
      "shop 7 1.5: cycles: \n\tff main+0x1 (/srv/shop)\n\nshop 7 1.6: cycles: \n\tff main+0x1 (/srv/shop)\n",
    ],
  ])("%s whose lines end with a carriage return alone are read as others", (kind, text) => {
    const [old, usual] = [Buffer.from(text.replaceAll("\n", "\r")), Buffer.from(text)];
    expect([sniff(old), sniff(usual)]).toEqual([kind, kind]);
    const profile = readProfile(old);
    expect(profile.ok).toBe(true);
    expect(profile).toEqual(readProfile(usual));
  });

  it("has a sample of every format", () => {
    const bytes = Buffer.from("profile");
    expect([sniff(gzipSync(bytes)), sniff(zstdCompressSync(bytes))]).toEqual(["gzip", "zstd"]);
    // Brotli has no signature.
    expect(sniff(brotliCompressSync(bytes))).toBe("unknown");
    const seen = new Set<Kind>([
      ...samples.map(({ kind }) => kind),
      ...[...texts, ...binaries].map(([kind]) => kind),
    ]);
    for (const kind of ["gzip", "zstd", "brotli"] as const) seen.add(kind);
    expect(formats.map(({ kind }) => kind).filter((kind) => !seen.has(kind))).toEqual([]);
  });

  it("recognises the profiles that this package writes", () => {
    expect(sniff(writeProfile(profileOf("main\n1")))).toBe("pprof");
  });
});

describe("recognised formats that are not read are refused with advice", () => {
  it("in the sentences of the golden file", async () => {
    const lines = samples.flatMap(({ file, bytes }) => {
      const read = readProfile(bytes);
      if (readerOf(bytes) !== undefined) return [];
      return `${file}: ${read.ok ? "taken" : `${read.error.code}: ${read.error.message}`}\n`;
    });
    expect(lines.length).toBeGreaterThan(20);
    await expect(lines.join("")).toMatchFileSnapshot("../fixtures/formats.refusals.txt");
  });

  it("and only Go senders get advice about Go's endpoint", () => {
    const withAdvice = formats.filter(({ kind }) => refusalOf(kind)!.includes("/debug/pprof"));
    expect(withAdvice.map(({ kind }) => kind)).toEqual(["go_trace"]);
    for (const { kind } of formats)
      expect(refusalOf(kind)).toMatch(/^Not a pprof profile: this is .+\. [A-Z].+\.$/);
  });

  it("returns undefined for unknown formats", () => {
    expect([refusalOf("unknown"), refusalOf("pprof"), refusalOf("empty")]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });
});
