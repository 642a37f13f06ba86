/** The thread of the payload files: one writer, so that no other thread waits for the disk. */
import { workerData } from "piscina";
import { moved } from "#memory/moved.ts";
import { dayOf } from "#store/profiles/profile-id.ts";
import { DayFiles, type FolderChanges, type PutResult } from "./day-files.ts";
import type { FileFault } from "./file-fault.ts";
import type { DayFault, FileProblems, Payload, StoredPayload } from "./payload-store.ts";

const files = new DayFiles((workerData as { readonly folder: string }).folder);

interface Put extends PutResult {
  /** Bytes that were not written, by the index of their payload: they can be put again. */
  readonly returned: ReadonlyMap<number, Uint8Array>;
  readonly changes: FolderChanges;
}

export function put(payloads: readonly Payload[]): Put {
  const { mayHaveExisted, faults } = files.put(payloads);
  const failedDays = new Set(faults.map(({ day }) => day));
  const returned = new Map<number, Uint8Array>();
  for (const [index, { profileId, bytes }] of payloads.entries()) {
    if (failedDays.has(dayOf(profileId) ?? "")) returned.set(index, bytes);
    // Freed at once, because payloads are many and large: see `free`.
    else (bytes.buffer as ArrayBuffer).transfer(0);
  }
  return moved({ mayHaveExisted, faults, returned, changes: files.takeChanges() }, [...returned.values()]);
}

/** Only an error's message survives the thread boundary. */
export type Attempt<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly fault: FileFault; readonly reason: string };

function attempt<T>(operation: () => T): Attempt<T> {
  try {
    return { ok: true, value: operation() };
  } catch (error) {
    return { ok: false, fault: files.faultOf(error), reason: (error as Error).message };
  }
}

export function read({
  orgId,
  profileId,
}: Pick<Payload, "orgId" | "profileId">): Attempt<StoredPayload | undefined> {
  const outcome = attempt(() => files.read(orgId, profileId));
  return outcome.ok && outcome.value !== undefined ? moved(outcome, [outcome.value.bytes]) : outcome;
}

export function remove({
  orgId,
  profileIds,
}: {
  orgId: string;
  profileIds: readonly string[];
}): Attempt<void> {
  return attempt(() => files.remove(orgId, profileIds));
}

export function days(): string[] {
  return files.days();
}

export function problems(): FileProblems {
  return files.problems();
}

/** Returns the days that could not be removed. */
export function removeDays(before: string): DayFault[] {
  return files.removeDays(before);
}

/** One step; returns whether there is more to remove. */
export function removeSomeOf({ day, orgId }: { day: string; orgId: string }): Attempt<boolean> {
  return attempt(() => files.removeSomeOf(day, orgId));
}

/** One step; returns whether there is more to free. */
export function shrink(day: string): Attempt<boolean> {
  return attempt(() => files.shrink(day));
}

export function close(): void {
  files.close();
}
