import { describe, expect, it } from "vitest";
import { type Kind, sniff, sniffText } from "./sniff.ts";
import { profileOf } from "./testing/index.ts";
import { writeProfile } from "./write-profile.ts";

const texts: [kind: Kind, text: string][] = [
  ["goroutine_dump", "goroutine 1 [running]:\nmain.main()\n\t/x.go:1 +0x1\n"],
  ["goroutine_dump", "goroutine 7 [chan receive, 5 minutes]:\n"],
  ["goroutine_text", "goroutine profile: total 36\n25 @ 0x47196e\n"],
  ["goroutine_text", "threadcreate profile: total 13\n"],
  ["legacy_text", "heap profile: 1: 2 [3: 4] @ heap/1048576\n"],
  ["legacy_text", "--- contention:\ncycles/second=1\n"],
  ["legacy_text", "--- mutex:\ncycles/second=1\n"],
  ["pprof_text", "PeriodType: cpu nanoseconds\n"],
  ["html", "<!DOCTYPE html><html>"],
  ["json", '{"error": "unauthorized"}'],
  ["json", "\n [1]"],
  ["git_lfs", "version https://git-lfs.github.com/spec/v1\n"],
  ["multipart", '--abc\r\nContent-Disposition: form-data; name="x"\r\n\r\n\u0001'],
  ["base64", "H4sIAAAAAAAA/+y9C3hU1bk/vGYm"],
  ["collapsed", "main;handle;encode 12\nmain;gc 3\n"],
  ["text", "Could not enable CPU profiling: cpu profiling already in use\n"],
  ["text", "404 page not found\n"],
];
const binaries: [kind: Kind, bytes: number[]][] = [
  ["empty", []],
  ["gzip", [0x1f, 0x8b, 8]],
  ["zstd", [0x28, 0xb5, 0x2f, 0xfd]],
  ["zlib", [0x78, 0x9c, 1]],
  ["jfr", [0x46, 0x4c, 0x52, 0, 0, 2]],
  ["go_trace", [...Buffer.from("go 1.22 trace\0\0\0")]],
  ["perf_data", [...Buffer.from("PERFILE2")]],
  ["elf", [0x7f, 0x45, 0x4c, 0x46]],
  ["legacy_cpu", [0, 0, 0, 0, 0, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0]],
  ["pprof", [0x0a, 4, 8, 1, 16, 2]],
  ["otlp", [0x0a, 5, 0x0a, 3, 0x0a, 1, 8]],
  ["text", [0xff, 0xfe, 0x61, 0]],
  ["unknown", [0xff, 0, 1, 2]],
];

describe("telling formats apart", () => {
  it.each(texts)("%s: %j", (kind, text) => {
    expect(sniff(Buffer.from(text))).toBe(kind);
  });

  it.each(binaries)("%s: %j", (kind, bytes) => {
    expect(sniff(Uint8Array.from(bytes))).toBe(kind);
  });

  it("knows what this package writes", () => {
    expect(sniff(writeProfile(profileOf("main\n1")))).toBe("pprof");
  });

  it("says what a kind is", () => {
    expect(sniffText("git_lfs")).toContain("Git LFS");
  });
});
