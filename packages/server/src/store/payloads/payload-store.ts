import type { ProfileType } from "@flamekeep/profile";
import type { FileFault } from "./file-fault.ts";

/** The bytes of one upload as they were sent, compressed or not. */
export interface Payload {
  readonly orgId: string;
  readonly profileId: string;
  /** As the profile is filed: with it the bytes can be drawn before anybody has looked the profile up. */
  readonly type: ProfileType;
  readonly bytes: Uint8Array;
}

export interface StoredPayload {
  readonly bytes: Uint8Array;
  /** Undefined where it was stored before types were. */
  readonly type: ProfileType | undefined;
}

/** A day whose payloads could not be written, while those of other days were. */
export interface FailedDay {
  /** YYYY-MM-DD. */
  readonly day: string;
  /** `busy` passes soon: the file is locked by another program. */
  readonly fault: FileFault;
  /** Those of that day. Nothing of them is stored, and their bytes can be put again. */
  readonly payloads: readonly Payload[];
}

interface PutResult {
  /** Payloads that may already have existed; all others are certainly new. */
  readonly known: readonly Payload[];
  readonly failedDays: readonly FailedDay[];
}

export interface DayFault {
  readonly day: string;
  readonly fault: FileFault;
  /** For the log. */
  readonly reason: string;
}

/** Problems of the files that an operator must solve. */
export interface FileProblems {
  /** Names of damaged files that were set aside. */
  readonly setAside: readonly string[];
  readonly unusable: readonly DayFault[];
}

/** Where the original bytes of profiles are. They are never changed, and read one profile at a time. */
export interface PayloadStore {
  /**
   * Resolves when all but those of `failedDays` are on disk. The memory of the bytes may be gone afterwards, and is
   * untouched where it throws StoreUnavailable: the same call may work later. A Failure says that the sender has to send
   * them again.
   */
  put(payloads: readonly Payload[]): Promise<PutResult>;
  /**
   * Undefined for an id of another organization just as for one that never was. Throws `damaged` where a file is, and
   * DayUnavailable where its day cannot be read now.
   */
  read(orgId: string, profileId: string): Promise<StoredPayload | undefined>;
  /** Once `stopped` is aborted it ends after the step it is at, as the two below: the same call goes on from there. */
  remove(orgId: string, profileIds: readonly string[], stopped?: AbortSignal): Promise<void>;
  /** Removes what was taken before the day `before` (YYYY-MM-DD); of all organizations where none is named. */
  removeDays(before: string, orgId?: string, stopped?: AbortSignal): Promise<void>;
  /** Gives room on disk back that removed bytes took. */
  purge(stopped?: AbortSignal): Promise<void>;
  /** Files that an operator must look after. */
  problems(): Promise<FileProblems>;
  [Symbol.asyncDispose](): Promise<void>;
}
