import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { unchangedParts } from "./program-pages.ts";

function entry(header: string, fields: { Rss: number; Anonymous: number }): string {
  const lines = Object.entries(fields).map(([name, kib]) => `${name}: ${String(kib).padStart(10)} kB\n`);
  return `${header}\n${lines.join("")}VmFlags: rd ex mr mw me sd\n`;
}

const code = "7f0000000000-7f0000400000 r-xp 00001000 fe:00 12                         /opt/lib/engine.so";

it("finds code and constants of files", () => {
  const constants = "7f0000400000-7f0000600000 r--p 00401000 fe:00 12    /opt/a name with spaces.so";
  const smaps = entry(code, { Rss: 2048, Anonymous: 0 }) + entry(constants, { Rss: 2048, Anonymous: 0 });
  expect(unchangedParts(smaps)).toEqual([
    { address: 0x7f0000000000n, bytes: 0x400000n },
    { address: 0x7f0000400000n, bytes: 0x200000n },
  ]);
});

it.each([
  ["part that was changed", code, { Rss: 2048, Anonymous: 4 }],
  ["part that is small in memory", code, { Rss: 1020, Anonymous: 0 }],
  ["part that can be written", code.replace("r-xp", "rw-p"), { Rss: 2048, Anonymous: 0 }],
  ["file that processes share", code.replace("r-xp", "r--s"), { Rss: 2048, Anonymous: 0 }],
  ["memory without a file", code.replace("/opt/lib/engine.so", ""), { Rss: 2048, Anonymous: 0 }],
  ["part of the kernel", code.replace("/opt/lib/engine.so", "[vdso]"), { Rss: 2048, Anonymous: 0 }],
])("leaves out a %s", (_what, header, fields) => {
  expect(unchangedParts(entry(header, fields))).toEqual([]);
});

it("leaves out a part if the system does not tell whether it was changed", () => {
  expect(unchangedParts(`${code}\nRss:     2048 kB\n`)).toEqual([]);
});

it.runIf(process.platform === "linux")("gives memory back, and the process goes on", async () => {
  const module = new URL("./program-pages.ts", import.meta.url).href;
  const program = `
    const { mappedFileBytes, releaseProgramPages, trimAllocator } = await import(${JSON.stringify(module)});
    const before = mappedFileBytes();
    await trimAllocator();
    await releaseProgramPages();
    const after = mappedFileBytes();
    console.log(JSON.stringify({ before, after, answer: [3, 1, 2].sort().join() }));`;
  const flags = ["--disable-warning=ExperimentalWarning", "--input-type=module", "--eval", program];
  const { stdout } = await promisify(execFile)(process.execPath, flags);
  const { before, after, answer } = JSON.parse(stdout) as { before: number; after: number; answer: string };
  expect(before - after).toBeGreaterThan(10_000_000);
  expect(answer).toBe("1,2,3");
});
