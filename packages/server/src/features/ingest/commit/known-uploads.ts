import { minuteMs } from "@flamekeep/contract/durations";
import { type ProfileRef, profileKey } from "#ingest/encode/profile-id.ts";
import type { Committed } from "./pending-item.ts";

export interface Identified extends ProfileRef {
  readonly startedAtMs: number;
}

type TagsKey = string | undefined;

/** A minute of full load. Later repetitions are found in the store. */
const recentMax = 30_000;
const untimedMax = 10_000;
const untimedMs = 10 * minuteMs;

/** Uploads under way and recently stored ones, by profile: a repetition moments later costs no query. */
export class KnownUploads {
  readonly #underWay = new Map<string, Promise<Committed>>();
  /** With the tags that were stored; undefined if they are not remembered. */
  readonly #recent = new Map<string, TagsKey>();
  readonly #tagsUnderWay = new Map<string, TagsKey>();
  readonly #untimed = new Map<string, { readonly profile: Identified; readonly untilMs: number }>();

  /** The outcome of an earlier upload of the profile; undefined when none is remembered. */
  find(profile: Identified): Promise<Committed> | undefined {
    const key = profileKey(profile);
    if (this.#recent.has(key)) return Promise.resolve("stored");
    return this.#underWay.get(key);
  }

  /**
   * The profile that the same content became within the last ten minutes, for content without a time; `profile` itself if
   * there was none or it was not stored.
   */
  earlierWithContent(untimedKey: string, profile: Identified, nowMs: number): Identified {
    const earlier = this.#untimed.get(untimedKey);
    if (earlier !== undefined && earlier.untilMs > nowMs && this.find(earlier.profile) !== undefined) {
      return earlier.profile;
    }
    this.#untimed.delete(untimedKey);
    this.#untimed.set(untimedKey, { profile, untilMs: nowMs + untimedMs });
    dropOldest(this.#untimed, untimedMax);
    return profile;
  }

  /** After services were removed, because their uploads may be sent again. */
  forget(): void {
    this.#underWay.clear();
    this.#tagsUnderWay.clear();
    this.#recent.clear();
    this.#untimed.clear();
  }

  /** The tags that the profile was first sent with; undefined if they are not remembered. */
  tagsOf(profile: Identified): TagsKey {
    return this.#recent.get(profileKey(profile)) ?? this.#tagsUnderWay.get(profileKey(profile));
  }

  add(profile: Identified, committed: Promise<Committed>, tagsKey?: TagsKey): void {
    const key = profileKey(profile);
    this.#underWay.set(key, committed);
    this.#tagsUnderWay.set(key, tagsKey);
    committed.then(
      (outcome) => {
        // The upload was forgotten or sent again meanwhile, so that another outcome is the latest.
        if (!this.#end(key, committed)) return;
        // The stored tags of a duplicate are from an upload that is no longer remembered.
        this.#recent.set(key, outcome === "duplicate" ? undefined : tagsKey);
        dropOldest(this.#recent, recentMax);
      },
      () => this.#end(key, committed),
    );
  }

  #end(key: string, committed: Promise<Committed>): boolean {
    if (this.#underWay.get(key) !== committed) return false;
    this.#tagsUnderWay.delete(key);
    return this.#underWay.delete(key);
  }
}

function dropOldest(map: Map<string, unknown>, sizeMax: number): void {
  if (map.size > sizeMax) map.delete(map.keys().next().value!);
}

/**
 * Says that the tags of a repeated upload were not stored; undefined if the first upload had the same tags, and for HTTP metrics,
 * which have none.
 */
export function duplicateNotice(sent: TagsKey, stored: TagsKey): string | undefined {
  if (sent === undefined || sent === stored) return undefined;
  return stored === undefined
    ? "This profile is already stored, with the tags of its first upload. Different tags of this upload were not stored."
    : "This profile is already stored, with the tags of its first upload. The different tags of this upload were not stored.";
}
