import { hash } from "node:crypto";

export interface ProfileRef {
  readonly orgId: string;
  readonly profileId: string;
}

/** Names a profile among the profiles of all organizations. */
export function profileKey({ orgId, profileId }: ProfileRef): string {
  return `${orgId}/${profileId}`;
}

export interface Identity {
  readonly orgId: string;
  readonly service: string;
  readonly type: string;
  readonly startedAtMs: number;
  readonly contentHash: string;
}

/** The id of the same upload as it is listed under another type than the one that owns its bytes. */
export function listedIdOf(ownerId: string, type: string): string {
  return hash("sha256", JSON.stringify([ownerId, type]), "hex").slice(0, 24) + ownerId.slice(24);
}

/**
 * 32 hex characters: 24 of a hash over everything that makes an upload this one, and the start in Unix seconds,
 * so that an id names the day and with it the partition of its profile.
 */
export function profileIdOf({ orgId, service, type, startedAtMs, contentHash }: Identity): string {
  const text = JSON.stringify([orgId, service, type, startedAtMs, contentHash]);
  const seconds = Math.floor(startedAtMs / 1000);
  return hash("sha256", text, "hex").slice(0, 24) + seconds.toString(16).padStart(8, "0");
}
