import type { ProfileType } from "@flamekeep/profile";

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

/** Where the original bytes of profiles are. They are never changed, and read one profile at a time. */
export interface PayloadStore {
  /**
   * Resolves when all are on disk, with those that may have been there before: of all others the profile cannot be
   * stored yet. The memory of the bytes may be gone afterwards, and is untouched where it throws StoreUnavailable: the
   * same call may work later. A Failure says that the sender has to send them again.
   */
  put(payloads: readonly Payload[]): Promise<readonly Payload[]>;
  /** Undefined for an id of another organization just as for one that never was. Throws `damaged` where a file is. */
  read(orgId: string, profileId: string): Promise<StoredPayload | undefined>;
  /** Once `stopped` is aborted it ends after the step it is at, as the two below: the same call goes on from there. */
  remove(orgId: string, profileIds: readonly string[], stopped?: AbortSignal): Promise<void>;
  /** Removes what was taken before the day `before` (YYYY-MM-DD); of all organizations where none is named. */
  removeDays(before: string, orgId?: string, stopped?: AbortSignal): Promise<void>;
  /** Gives room on disk back that removed bytes took. */
  purge(stopped?: AbortSignal): Promise<void>;
  close(): Promise<void>;
}
