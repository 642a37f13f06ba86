import type { Committed } from "./committer.ts";

export interface Identified {
  readonly orgId: string;
  readonly profileId: string;
  readonly startedAtMs: number;
}

const recentMax = 100_000;
const timelessMax = 10_000;
const timelessMs = 10 * 60_000;

/** Uploads under way and lately stored, by organization and profile id: a retry moments later costs no question. */
export class KnownUploads {
  readonly #underWay = new Map<string, Promise<Committed>>();
  readonly #recent = new Set<string>();
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
    this.#recent.clear();
    this.#timeless.clear();
  }

  add(profile: Identified, fate: Promise<Committed>): void {
    const key = keyOf(profile);
    this.#underWay.set(key, fate);
    fate.then(
      () => {
        // Forgotten meanwhile, or already sent again: then this fate is not the latest.
        if (!this.#end(key, fate)) return;
        this.#recent.add(key);
        dropOldest(this.#recent, recentMax);
      },
      () => this.#end(key, fate),
    );
  }

  #end(key: string, fate: Promise<Committed>): boolean {
    return this.#underWay.get(key) === fate && this.#underWay.delete(key);
  }
}

function keyOf({ orgId, profileId }: Identified): string {
  return `${orgId}/${profileId}`;
}

function dropOldest(held: Map<string, unknown> | Set<string>, sizeMax: number): void {
  if (held.size > sizeMax) held.delete(held.keys().next().value!);
}
