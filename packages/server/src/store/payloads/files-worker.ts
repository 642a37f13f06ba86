/** The thread that holds the payloads' files: there is one writer, and nobody else waits for the disk. */
import { workerData } from "piscina";
import { moved } from "#memory/moved.ts";
import { DayFiles, isDamage } from "./day-files.ts";
import type { Payload, StoredPayload } from "./payload-store.ts";

const files = new DayFiles((workerData as { readonly folder: string }).folder);

interface Put {
  /** Of each payload, whether it may have been. */
  readonly wasThere: readonly boolean[];
  /** Damaged files put out of the way since the last put. */
  readonly setAside: readonly string[];
}

export function put(payloads: readonly Payload[]): Put {
  const wasThere = files.put(payloads);
  // At once, as they are many and large: see `free`.
  for (const { bytes } of payloads) (bytes.buffer as ArrayBuffer).transfer(0);
  return { wasThere, setAside: files.takeSetAside() };
}

/** A text instead of a payload says how the file is damaged: what an error knows more does not cross threads. */
export function read({
  orgId,
  profileId,
}: Pick<Payload, "orgId" | "profileId">): StoredPayload | string | undefined {
  try {
    const found = files.read(orgId, profileId);
    return found && moved(found, [found.bytes]);
  } catch (error) {
    if (!isDamage(error)) throw error;
    return (error as Error).message;
  }
}

export function remove({ orgId, profileIds }: { orgId: string; profileIds: readonly string[] }): void {
  files.remove(orgId, profileIds);
}

export function days(): string[] {
  return files.days();
}

export function removeDays(before: string): void {
  files.removeDays(before);
}

/** One step; tells whether there is more to remove. */
export function removeSomeOf({ day, orgId }: { day: string; orgId: string }): boolean {
  return files.removeSomeOf(day, orgId);
}

/** One step; tells whether there is more to give back. */
export function shrink(day: string): boolean {
  return files.shrink(day);
}

export function close(): void {
  files.close();
}
