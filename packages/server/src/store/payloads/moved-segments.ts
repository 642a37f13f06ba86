import { rm, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { startSecondsOf } from "#store/profiles/profile-id.ts";
import type { Turns } from "#store/turns.ts";
import { RemoteSegment } from "./remote-segment.ts";
import { SealedSegment } from "./sealed-segment.ts";
import { indexPathOf, syncFolder } from "./segment-file.ts";
import type { SegmentObjects } from "./segment-objects.ts";

export type Segment = SealedSegment | RemoteSegment;

/** Parts of a day of uploads. */
interface DayParts {
  readonly sealed: Segment[];
  /** Changes of the list and of files take turns with uploads. Requests of object storage do not: they may take long. */
  readonly turns: Turns;
}

/**
 * The segments of a day that are in object storage, or on their way there. All that changes segments runs in `changing`, and takes the
 * turns of the day within it, never the other way round.
 */
export class MovedSegments {
  readonly #objects: SegmentObjects;
  readonly #sealed: Segment[];
  readonly #turns: Turns;

  constructor(objects: SegmentObjects, { sealed, turns }: DayParts) {
    this.#objects = objects;
    this.#sealed = sealed;
    this.#turns = turns;
  }

  /** In object storage. */
  get bytes(): number {
    return this.#remote().reduce((sum, { summary }) => sum + summary.bytes, 0);
  }

  /** Segments that have not been written since then, and their bytes. */
  async ready(beforeMs: number): Promise<readonly SealedSegment[]> {
    const found: SealedSegment[] = [];
    for (const segment of this.#local()) {
      if (!segment.canMove) continue;
      const { mtimeMs } = await stat(segment.path).catch(() => ({ mtimeMs: Number.POSITIVE_INFINITY }));
      // One that was interrupted goes on.
      if (segment.summary.hasObject || mtimeMs <= beforeMs) found.push(segment);
    }
    return found;
  }

  /** Moves a segment. A kill at any moment leaves the file, or an object that was compared with it. */
  async move(segment: SealedSegment): Promise<void> {
    await this.#turns.run(async () => {
      // Records that were removed must not be there, and not in the index.
      if (segment.summary.removedBytes > 0) await segment.compact();
      await segment.noteObject();
    });
    await this.#objects.put(segment.path, segment.path, await segment.encodedIndex());
    await this.#turns.run(async () => {
      if (!this.#sealed.includes(segment)) return; // Another program removed the file.
      this.#replace(segment, new RemoteSegment(segment.path, segment.summary, this.#objects));
      await rm(segment.path);
      await syncFolder(dirname(segment.path));
    });
  }

  /** To be called before the files of these segments change: an object would keep what is removed. */
  async removeStale(isConcerned: (segment: SealedSegment) => boolean = () => true): Promise<void> {
    for (const segment of this.#local().filter((each) => each.summary.hasObject && isConcerned(each))) {
      await this.#objects.remove(segment.path);
      segment.forgetObject();
    }
  }

  async remove(orgKey: string, profileIds: readonly string[]): Promise<void> {
    const seconds = profileIds.map((id) => startSecondsOf(id) ?? -1);
    for (const segment of this.#remote().filter((each) => seconds.some((second) => each.covers(second)))) {
      if (!(await segment.remove(orgKey, profileIds))) await this.#drop(segment);
    }
  }

  async removeAllOf(orgKey: string, beforeSecond: number): Promise<void> {
    for (const segment of this.#remote()) {
      if (!(await segment.removeAllOf(orgKey, beforeSecond))) await this.#drop(segment);
    }
  }

  /** Brings one back without its content; returns whether there may be more. */
  async dropContent(): Promise<boolean> {
    const segment = this.#remote().find((each) => each.canDropContent);
    if (segment === undefined) return false;
    const back = await segment.bringBackWithoutContent();
    await this.#turns.run(async () => this.#replace(segment, back));
    await this.#objects.remove(segment.path);
    back.forgetObject();
    await this.#turns.run(() => back.writeIndex());
    return true;
  }

  async #drop(segment: RemoteSegment): Promise<void> {
    await this.#objects.remove(segment.path);
    await this.#turns.run(async () => {
      this.#sealed.splice(this.#sealed.indexOf(segment), 1);
      await rm(indexPathOf(segment.path), { force: true });
    });
  }

  #local(): SealedSegment[] {
    return this.#sealed.filter((each) => each instanceof SealedSegment);
  }

  #remote(): RemoteSegment[] {
    return this.#sealed.filter((each) => each instanceof RemoteSegment);
  }

  #replace(segment: Segment, next: Segment): void {
    this.#sealed.splice(this.#sealed.indexOf(segment), 1, next);
  }
}
