import type { FunctionSignature } from "node:ffi";
import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";

/** A part of a file that is mapped into this process. */
export interface MappedPart {
  readonly address: bigint;
  readonly bytes: bigint;
}

const headerPattern = /^([0-9a-f]+)-([0-9a-f]+) (\S{4}) \S+ \S+ \d+ +(.*)$/;
/** Smaller parts are not worth a system call. */
const residentKibMin = 1024;

/**
 * The private, read-only parts of mapped files in which no page was changed, such as machine code and constants: each byte is also in
 * the file. Pages that the dynamic linker changed count as "Anonymous", so parts with such pages are left out.
 *
 * @param smaps the text of /proc/[pid]/smaps, see proc_pid_smaps(5)
 */
export function unchangedParts(smaps: string): MappedPart[] {
  return smaps.split(/^(?=[0-9a-f]+-[0-9a-f]+ )/m).flatMap((entry) => {
    const [, from = "", to = "", mode = "", file = ""] = headerPattern.exec(entry.split("\n", 1)[0]!) ?? [];
    const isReadOnlyFile = mode.startsWith("r-") && mode.endsWith("p") && file.startsWith("/");
    if (!isReadOnlyFile || kibOf(entry, "Anonymous") !== 0 || (kibOf(entry, "Rss") ?? 0) < residentKibMin)
      return [];
    const address = BigInt(`0x${from}`);
    return [{ address, bytes: BigInt(`0x${to}`) - address }];
  });
}

/** A field of an entry, in KiB; undefined if the kernel does not report it. */
function kibOf(entry: string, field: string): number | undefined {
  const kib = new RegExp(`^${field}: +(\\d+) kB$`, "m").exec(entry)?.[1];
  return kib === undefined ? undefined : Number(kib);
}

/** Resident bytes of mapped files in this process; 0 if the system does not report them. */
export function mappedFileBytes(): number {
  try {
    const kib = /^RssFile:\s+(\d+) kB$/m.exec(readFileSync("/proc/self/status", "utf8"))?.[1];
    return Number(kib ?? 0) * 1024;
  } catch {
    return 0;
  }
}

/** `MADV_DONTNEED`, see madvise(2). */
const dontNeed = 4;

/**
 * Removes unchanged pages of program files from this process. They stay in the system's page cache, and a page fault maps a page again
 * when it is used. Loading the engine's library alone touches 120 MB of pages, and few are used again.
 *
 * Linux only. Does nothing if this Node has no `node:ffi`, which is experimental.
 *
 * @throws if /proc/self/smaps cannot be read
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

/** Returns free memory of glibc's allocator to the system. Does nothing with other C libraries, which have no `malloc_trim`. */
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
