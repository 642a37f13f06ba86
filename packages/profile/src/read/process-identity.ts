import { releaseScratch } from "#memory/growable.ts";
import { defaultLimits, type ReadLimits } from "#model/limits.ts";
import { Refusal } from "#model/profile-error.ts";
import { decodeText, WireReader } from "#wire/wire-reader.ts";
import { readMappings } from "./mappings.ts";
import { readOutline } from "./outline.ts";

/** Programs that are linked to a fixed address start below it, and at the same address in every process. */
const fixedAddressMax = 1n << 32n;

/**
 * A text that stays the same for a process and differs between processes: where the operating system mapped the vDSO, else a
 * position-independent program. Both addresses are random for each process (address space layout randomization); Go writes all
 * executable mappings into its profiles. "" if the profile lacks both.
 */
export function processIdentity(raw: Uint8Array, limits: ReadLimits = defaultLimits): string {
  try {
    const wire = new WireReader(raw);
    const { mappings: spans, strings } = readOutline(wire, limits);
    const { mappings } = readMappings(wire, spans, strings.length / 2);
    const fileOf = (i: number) => {
      const at = 2 * mappings.file[i];
      return decodeText(raw.subarray(strings[at], strings[at + 1]));
    };
    for (let i = 0; i < mappings.length; i++) {
      if (fileOf(i) === "[vdso]" && mappings.start[i] !== 0n) return mappings.start[i].toString(16);
    }
    if (mappings.length === 0 || mappings.start[0] <= fixedAddressMax) return "";
    // Windows chooses the address of a program once per boot, not per process.
    return fileOf(0).startsWith("/") ? mappings.start[0].toString(16) : "";
  } catch (error) {
    if (error instanceof Refusal) return "";
    throw error;
  } finally {
    releaseScratch();
  }
}
