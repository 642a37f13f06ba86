import type { FunctionSignature } from "node:ffi";
import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";

/** A part of a file in this process's memory. */
export interface MappedPart {
  readonly address: bigint;
  readonly bytes: bigint;
}

const headers = /^([0-9a-f]+)-([0-9a-f]+) (\S{4}) \S+ \S+ \d+ +(.*)$/;
/** Small parts are not worth a system call. */
const residentKibMin = 1024;

/**
 * The private parts of files that cannot be written and have no changed page, such as machine code: the file has every byte
 * of them. A page that the dynamic linker changed is "anonymous", so its part is left out.
 *
 * @param smaps as in proc_pid_smaps(5)
 */
export function unchangedParts(smaps: string): MappedPart[] {
  return smaps.split(/^(?=[0-9a-f]+-[0-9a-f]+ )/m).flatMap((entry) => {
    const [, from = "", to = "", mode = "", file = ""] = headers.exec(entry.split("\n", 1)[0]!) ?? [];
    const isCode = mode.startsWith("r-") && mode.endsWith("p") && file.startsWith("/");
    if (!isCode || kibOf(entry, "Anonymous") !== 0 || (kibOf(entry, "Rss") ?? 0) < residentKibMin) return [];
    const address = BigInt(`0x${from}`);
    return [{ address, bytes: BigInt(`0x${to}`) - address }];
  });
}

/** Undefined if the kernel does not tell. */
function kibOf(entry: string, field: string): number | undefined {
  const kib = new RegExp(`^${field}: +(\\d+) kB$`, "m").exec(entry)?.[1];
  return kib === undefined ? undefined : Number(kib);
}

/** The bytes of files that are in this process's memory; 0 where the system does not tell. */
export function mappedFileBytes(): number {
  try {
    const kib = /^RssFile:\s+(\d+) kB$/m.exec(readFileSync("/proc/self/status", "utf8"))?.[1];
    return Number(kib ?? 0) * 1024;
  } catch {
    return 0;
  }
}

/** MADV_DONTNEED of Linux. */
const dontNeed = 4;

/**
 * Takes unchanged pages of program files out of this process. They stay in the system's cache of files, from which the process gets
 * a page back when it uses it. Loading the engine's library alone uses 120 MB of pages and needs few of them again.
 *
 * Linux only. Does nothing if this Node has no `node:ffi`, which is experimental.
 */
export async function releaseProgramPages(): Promise<void> {
  const madvise = await libcFunction("madvise", {
    arguments: ["uint64", "uint64", "int32"],
    return: "int32",
  });
  if (madvise === undefined) return;
  const parts = unchangedParts(await readFile("/proc/self/smaps", "utf8"));
  for (const { address, bytes } of parts) madvise(address, bytes, dontNeed);
}

/** Returns memory that glibc's allocator keeps for later. Does nothing with other allocators, which have no such function. */
export async function trimAllocator(): Promise<void> {
  const trim = await libcFunction("malloc_trim", { arguments: ["uint64"], return: "int32" });
  trim?.(0n);
}

type LibcFunction = (...args: readonly (bigint | number)[]) => number;

async function libcFunction(name: string, signature: FunctionSignature): Promise<LibcFunction | undefined> {
  if (process.platform !== "linux") return undefined;
  try {
    const { dlopen } = await import("node:ffi");
    return dlopen(null, { [name]: signature }).functions[name] as LibcFunction;
  } catch {
    return undefined;
  }
}
