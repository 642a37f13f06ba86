import { minuteMs } from "@flamekeep/contract/durations";
import type { Committed } from "./pending-item.ts";

export interface Identified {
  readonly orgId: string;
  readonly profileId: string;
  readonly startedAtMs: number;
}

type TagsKey = string | undefined;

const recentMax = 100_000;
const timelessMax = 10_000;
const timelessMs = 10 * minuteMs;

/** Uploads under way and lately stored, by organization and profile id: a retry moments later costs no question. */
export class KnownUploads {
  readonly #underWay = new Map<string, Promise<Committed>>();
  /** With the tags that were stored; undefined where they are not known. */
  readonly #recent = new Map<string, TagsKey>();
  readonly #tagsUnderWay = new Map<string, TagsKey>();
  readonly #timeless = new Map<string, { readonly profile: Identified; readonly untilMs: number }>();

  /** The fate of an upload that came before; undefined when none is known. */
  find(profile: Identified): Promise<Committed> | undefined {
    const key = keyOf(profile);
    if (this.#recent.has(key)) return Promise.resolve("stored");
    return this.#underWay.get(key);
  }

  /**
   * The profile that the same content became within ten minutes, where only its arrival gave it a time; else `profile`,
   * as where what came before was not stored.
   */
  sameContent(timelessKey: string, profile: Identified, nowMs: number): Identified {
    const known = this.#timeless.get(timelessKey);
    if (known !== undefined && known.untilMs > nowMs && this.find(known.profile) !== undefined) {
      return known.profile;
    }
    this.#timeless.delete(timelessKey);
    this.#timeless.set(timelessKey, { profile, untilMs: nowMs + timelessMs });
    dropOldest(this.#timeless, timelessMax);
    return profile;
  }

  /** After services were removed: what they sent may come again. */
  forget(): void {
    this.#underWay.clear();
    this.#tagsUnderWay.clear();
    this.#recent.clear();
    this.#timeless.clear();
  }

  /** The tags that the profile was first sent with; undefined where they are not known. */
  tagsOf(profile: Identified): TagsKey {
    return this.#recent.get(keyOf(profile)) ?? this.#tagsUnderWay.get(keyOf(profile));
  }

  add(profile: Identified, fate: Promise<Committed>, tagsKey?: TagsKey): void {
    const key = keyOf(profile);
    this.#underWay.set(key, fate);
    this.#tagsUnderWay.set(key, tagsKey);
    fate.then(
      (outcome) => {
        // Forgotten meanwhile, or already sent again: then this fate is not the latest.
        if (!this.#end(key, fate)) return;
        // The store found a duplicate: the tags in it are those of an upload that is no longer remembered.
        this.#recent.set(key, outcome === "duplicate" ? undefined : tagsKey);
        dropOldest(this.#recent, recentMax);
      },
      () => this.#end(key, fate),
    );
  }

  #end(key: string, fate: Promise<Committed>): boolean {
    if (this.#underWay.get(key) !== fate) return false;
    this.#tagsUnderWay.delete(key);
    return this.#underWay.delete(key);
  }
}

function keyOf({ orgId, profileId }: Identified): string {
  return `${orgId}/${profileId}`;
}

function dropOldest(held: Map<string, unknown>, sizeMax: number): void {
  if (held.size > sizeMax) held.delete(held.keys().next().value!);
}

/**
 * Says that the tags of a repeated upload were not stored; undefined if they are known to be those of the first one. Uploads
 * without tags of their own (HTTP metrics) have nothing to say.
 */
export function duplicateNotice(sent: TagsKey, stored: TagsKey): string | undefined {
  if (sent === undefined || sent === stored) return undefined;
  return stored === undefined
    ? "This profile is stored already, with the tags of its first upload. Tags that differ in this upload were not stored."
    : "This profile is stored already, with the tags of its first upload: the tags of this upload differ and were not stored.";
}
