import type { ProfileType, StoredType } from "@flamekeep/contract";
import type { FileFault } from "./day-unavailable.ts";

/** The bytes of one upload as they were sent, compressed or not. */
export interface Payload {
  readonly orgId: string;
  readonly profileId: string;
  /**
   * The profile's type: with it a flame graph can be drawn from the bytes without the row of the profile. Bytes of `metrics` are only
   * kept until their rows are stored.
   */
  readonly type: StoredType;
  readonly bytes: Uint8Array;
  /** The sender's other statements, as JSON: with them the upload can be encoded again. */
  readonly repeat?: unknown;
  /** There are no bytes, because an installation that the profile comes from did not keep them. */
  readonly isDropped?: true;
}

/** An upload whose rows may be missing. */
export interface LeftBehind {
  readonly orgId: string;
  readonly profileId: string;
  /** All that encoding it again needs; undefined where it cannot be repeated, or is damaged. */
  read(): Promise<Repeatable | undefined>;
}

export interface Repeatable {
  /** As it was put. */
  readonly repeat: unknown;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

export interface StoredPayload {
  readonly bytes: Uint8Array;
  /** Undefined for payloads of earlier versions, which did not store it. */
  readonly type: ProfileType | undefined;
  /** The bytes are gone, and none are returned: `withRebuiltPayloads` makes others of the profile's columns. */
  readonly isDropped?: true;
  /** Set if the bytes that were sent are gone, and these were made of the profile's columns. */
  readonly rebuilt?: {
    /** The hash of the bytes that were sent, as in the profile's row. */
    readonly contentHash: string;
  };
}

export const droppedPayload: StoredPayload = { bytes: new Uint8Array(), type: undefined, isDropped: true };

/** A day whose payloads could not be written, while other days' were. */
export interface FailedDay {
  /** YYYY-MM-DD, or a name for those that are kept only until their rows are stored. */
  readonly day: string;
  readonly fault: FileFault;
  /** The payloads of that day. None of them is stored, and their bytes can be put again. */
  readonly payloads: readonly Payload[];
}

/** Payloads in none of the lists were written, and no upload of their profile came before. */
export interface PutResult {
  /** Puts are numbered from 1. */
  readonly number: number;
  /** The log had them, and keeps them until their rows are stored: nothing is left to do. */
  readonly waiting: readonly Payload[];
  /** The log had them: their rows may be stored. */
  readonly existing: readonly Payload[];
  /** Written, but their rows may be stored: the log drops what is. */
  readonly unproven: readonly Payload[];
  readonly failedDays: readonly FailedDay[];
}

export interface DayFault {
  readonly day: string;
  readonly fault: FileFault;
  /** For the log. */
  readonly reason: string;
}

/** A file of uploads with bytes that belong to no upload, or one that cannot be used: then `reason` says why. */
export interface SegmentProblem {
  readonly file: string;
  readonly damagedBytes: number;
  readonly reason?: string;
}

/** Original bytes in object storage. */
export interface MovedOriginals {
  readonly url: string;
  readonly bytes: number;
  /** Bytes on the disk that should be in object storage. */
  readonly waitingBytes: number;
  /** Why object storage cannot be used, for operators; undefined if it can. */
  readonly fault: { readonly message: string; readonly since: Date } | undefined;
}

/** Problems of the files that an operator must solve. */
interface FileProblems {
  readonly segments: readonly SegmentProblem[];
  /** Names of damaged files that an earlier version set aside. */
  readonly setAside: readonly string[];
  readonly unusable: readonly DayFault[];
}

/** Stores the original bytes of profiles. They are never changed, and are read one profile at a time. */
export interface PayloadStore {
  /**
   * Resolves when all payloads are on disk, except on `failedDays`. The bytes may be freed afterwards. If it throws
   * StoreUnavailable, the same call may work later.
   */
  put(payloads: readonly Payload[]): Promise<PutResult>;
  /**
   * Undefined for an unknown id and for one of another organization. Throws `damaged` if the file is damaged, and
   * DayUnavailable if the day cannot be read now.
   */
  read(orgId: string, profileId: string): Promise<StoredPayload | undefined>;
  /** Set where `read` makes other bytes for those that are gone. For these it resolves with undefined. */
  readSent?(orgId: string, profileId: string): Promise<StoredPayload | undefined>;
  /** Once `stopped` is aborted it ends after the current step, as do the next two: the same call continues from there. */
  remove(orgId: string, profileIds: readonly string[], stopped?: AbortSignal): Promise<void>;
  /** Removes payloads of days before `before` (YYYY-MM-DD), by default of all organizations. */
  removeDays(before: string, orgId?: string, stopped?: AbortSignal): Promise<void>;
  /**
   * Removes the bytes of payloads of days before `before` whose rows are stored. Their profiles still count as stored. Bytes of the last
   * minutes stay until a later call.
   */
  dropContent(before: string, stopped?: AbortSignal): Promise<void>;
  /** Set with object storage: moves files there that have not been written for some hours. Throws if it cannot be used. */
  moveToObjects?(stopped?: AbortSignal): Promise<void>;
  /** Set with object storage, as it was at the last move. */
  moved?(): MovedOriginals;
  /** Frees the disk space of removed payloads. */
  purge(stopped?: AbortSignal): Promise<void>;
  /** Files that need an operator. */
  problems(): Promise<FileProblems>;
  /** Set where the log is not the place that payloads stay in. To be called before rows are stored; may be called again. */
  keep?(payloads: readonly Payload[]): Promise<void>;
  /** All that encoding an upload again needs; undefined where it cannot be repeated, or is damaged. */
  readAgain(upload: Pick<Payload, "orgId" | "profileId" | "type">): Promise<Repeatable | undefined>;
  /** To be called when the rows of everything up to this put are stored. For some minutes it is still found by `leftBehind`. */
  confirm(put: number): Promise<void>;
  /** Uploads of an earlier process that were not confirmed, in the order of arrival. The first call gets them, others nothing. */
  leftBehind(): AsyncGenerator<LeftBehind>;
  /** To be called when the rows of all that was left behind are stored. Until then nothing is confirmed. */
  endRecovery(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}
