import { readdirSync } from "node:fs";
import { mkdir, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { startSecondsOf } from "#store/profiles/profile-id.ts";
import { storageFaultOf } from "#store/storage-fault.ts";
import { Turns } from "#store/turns.ts";
import { MovedSegments, type Segment } from "./moved-segments.ts";
import { OpenSegment, SegmentLost } from "./open-segment.ts";
import type { SegmentProblem } from "./payload-store.ts";
import { orgKeyOf, segmentName, type UploadRecord } from "./record.ts";
import { IndexDamaged, RemoteSegment } from "./remote-segment.ts";
import { ignoreDamage, SealedSegment, type StoredRecord } from "./sealed-segment.ts";
import { type FoundRecord, indexPathOf, RecordDamaged, readSummary, syncFolder } from "./segment-file.ts";
import { ObjectMissing, type SegmentObjects } from "./segment-objects.ts";

const suffix = ".log";
/** A segment that is longer takes no further records. */
const segmentBytesMax = 64 * 1024 * 1024;
/** Records that are removed while uploads wait. */
const recordsPerStep = 1000;
/** A segment is rewritten when this part of it was removed. */
const removedPartMax = 0.25;

/** The uploads whose profiles began on one day, in a folder of segments. */
export class UploadDay {
  readonly folder: string;
  readonly #onProblem: (problem: SegmentProblem) => void;
  readonly #turns = new Turns();
  /** Everything that changes or moves segments, apart from uploads. */
  readonly #changes = new Turns();
  readonly #sealed: Segment[] = [];
  /** Undefined without object storage. */
  readonly #moved: MovedSegments | undefined;
  readonly #problems = new Map<string, SegmentProblem>();
  /** They were found to be damaged when their content was to be dropped. */
  readonly #keptWhole = new WeakSet<SealedSegment>();
  #current: OpenSegment | undefined;
  #latestNumber = 0;

  private constructor(
    folder: string,
    onProblem: (problem: SegmentProblem) => void,
    objects: SegmentObjects | undefined,
  ) {
    this.folder = folder;
    this.#onProblem = onProblem;
    this.#moved = objects && new MovedSegments(objects, { sealed: this.#sealed, turns: this.#turns });
  }

  /** Reads which segments there are. The folder may be missing. */
  static async open(
    folder: string,
    onProblem: (problem: SegmentProblem) => void,
    objects?: SegmentObjects,
  ): Promise<UploadDay> {
    const day = new UploadDay(folder, onProblem, objects);
    // An interrupted compaction leaves a copy, which no removal would find.
    for (const name of namesIn(folder))
      if (name.endsWith(".new")) await rm(join(folder, name), { force: true });
    const names = namesIn(folder);
    const existing = new Set(names.map((name) => join(folder, name)));
    for (const name of names.filter((each) => each.endsWith(indexPathOf(suffix)))) {
      const path = join(folder, name.slice(0, -indexPathOf("").length));
      if (!existing.has(path)) await day.#openRemote(path, objects);
    }
    for (const name of names.filter((each) => each.endsWith(suffix))) {
      const path = join(folder, name);
      day.#latestNumber = Math.max(day.#latestNumber, Number.parseInt(name, 10) || 0);
      try {
        const segment = await SealedSegment.open(path);
        day.#sealed.push(segment);
        if (segment.summary.damagedBytes > 0) day.#note(path, segment.summary.damagedBytes);
      } catch (error) {
        day.#note(path, 0, (error as Error).message);
      }
    }
    return day;
  }

  async #openRemote(path: string, objects: SegmentObjects | undefined): Promise<void> {
    const summary = await readSummary(indexPathOf(path)).catch(() => undefined);
    if (!summary?.hasObject) this.#note(path, 0, "it was deleted by another program");
    else if (objects === undefined)
      this.#note(path, 0, "it is in object storage, and ORIGINALS_URL is not set");
    else this.#sealed.push(new RemoteSegment(path, summary, objects));
  }

  get problems(): readonly SegmentProblem[] {
    return [...this.#problems.values()];
  }

  /** Whether an upload that is not found was certainly never here. */
  get isComplete(): boolean {
    return this.#problems.size === 0;
  }

  /**
   * Resolves when the records are on disk. A segment that cannot be written is left, and the next one begins.
   *
   * @param isWanted asked when it is their turn: a removal may have come first
   */
  append(all: readonly UploadRecord[], put: number, isWanted = (_: UploadRecord) => true): Promise<void> {
    return this.#turns.run(async () => {
      const records = all.filter(isWanted);
      if (records.length === 0) return;
      try {
        await (await this.#writable()).append(records, put);
      } catch (error) {
        if (storageFaultOf(error) === "full") throw error;
        await this.#leaveCurrent(error);
        await (await this.#writable()).append(records, put);
      }
      if (this.#current!.bytes >= segmentBytesMax) await this.#seal();
    });
  }

  /** Waits for appends: while a segment is sealed its records are nowhere. */
  has(orgId: string, profileId: string): Promise<boolean> {
    return this.#turns.run(async () => {
      const orgKey = orgKeyOf(orgId);
      if (this.#current?.has(orgKey, profileId)) return true;
      for (const segment of this.#covering(profileId)) {
        if (await this.#using(segment, () => segment.has(orgKey, profileId))) return true;
      }
      return false;
    });
  }

  /** Throws RecordDamaged if its record cannot be read. */
  async read(orgId: string, profileId: string): Promise<FoundRecord | undefined> {
    const found = await this.#readOnce(orgId, profileId).catch((error: unknown) => {
      if (!(error instanceof RecordDamaged)) throw error;
    });
    // A segment may be sealed or rewritten meanwhile: then only another attempt finds its place.
    return found ?? this.#turns.run(() => this.#readOnce(orgId, profileId));
  }

  /** Ends after the current step once `stopped` is aborted. */
  remove(orgId: string, profileIds: readonly string[], stopped?: AbortSignal): Promise<void> {
    return this.#changes.run(async () => {
      const orgKey = orgKeyOf(orgId);
      for (let at = 0; at < profileIds.length; at += recordsPerStep) {
        const some = profileIds.slice(at, at + recordsPerStep);
        await this.#moved?.removeStale((segment) => idsIn(segment, some).length > 0);
        await this.#turns.run(async () => {
          await this.#seal();
          for (const segment of this.#local()) {
            const ids = idsIn(segment, some);
            if (ids.length > 0) await this.#using(segment, () => segment.remove(orgKey, ids));
          }
        });
        if (stopped?.aborted) return;
      }
      // Each is fetched once.
      await this.#moved?.remove(orgKey, profileIds);
    });
  }

  /** One step, for uploads of days before `before` (YYYY-MM-DD); returns whether there is more to remove. */
  removeSomeOf(orgId: string, before: string): Promise<boolean> {
    return this.#changes.run(async () => {
      const [orgKey, beforeSecond] = [orgKeyOf(orgId), Date.parse(before) / 1000];
      await this.#moved?.removeStale(({ summary }) => summary.orgKeys.includes(orgKey));
      const hasMore = await this.#turns.run(async () => {
        await this.#seal();
        for (const segment of this.#local()) {
          const remove = () => segment.removeSomeOf(orgKey, beforeSecond, recordsPerStep);
          if (await this.#using(segment, remove)) return true;
        }
        return false;
      });
      if (!hasMore) await this.#moved?.removeAllOf(orgKey, beforeSecond);
      return hasMore;
    });
  }

  /** One step: rewrites one segment that has many removed records; returns whether there may be more. */
  shrink(): Promise<boolean> {
    return this.#changes.run(async () => {
      const segment = this.#local().find(
        ({ summary }) => summary.removedBytes > 0 && summary.removedBytes >= removedPartMax * summary.bytes,
      );
      if (segment === undefined) return false;
      await this.#moved?.removeStale((each) => each === segment);
      await this.#turns.run(async () => {
        await this.#using(segment, () => segment.compact());
        if (segment.summary.bytes === 0) await this.#drop(segment);
      });
      return true;
    });
  }

  /** One step: drops the content of one segment whose rows are stored; returns whether there may be more. */
  dropContent(): Promise<boolean> {
    return this.#changes.run(async () => {
      const segment = this.#local().find((each) => each.canDropContent && !this.#keptWhole.has(each));
      if (segment === undefined) {
        // Its index is written some minutes later.
        await this.rest();
        return (await this.#moved?.dropContent()) ?? false;
      }
      const keepIfDamaged = (error: unknown) => {
        ignoreDamage(error);
        this.#keptWhole.add(segment);
      };
      await this.#moved?.removeStale((each) => each === segment);
      await this.#turns.run(() => this.#using(segment, () => segment.compact(true).catch(keepIfDamaged)));
      return true;
    });
  }

  /** Removes the whole day, without its objects. */
  drop(): Promise<void> {
    return this.#changes.run(() =>
      this.#turns.run(async () => {
        await this.#seal();
        // First: an index without its segment says that the segment was lost.
        for (const { path } of this.#sealed) await rm(indexPathOf(path), { force: true });
        await rm(this.folder, { recursive: true, force: true });
        this.#sealed.length = 0;
        this.#problems.clear();
      }),
    );
  }

  /** Writes the indexes of segments whose records came with puts up to this one: their rows are stored. */
  confirm(put: number): Promise<void> {
    return this.#turns.run(async () => {
      for (const segment of this.#sealed) if (segment.lastPut <= put) await segment.writeIndex();
    });
  }

  /** Removes the segments whose records came with puts up to this one; the current one only if it is longer. */
  dropConfirmed(put: number, bytesMin = 0): Promise<void> {
    return this.#turns.run(async () => {
      if ((this.#current?.lastPut ?? put + 1) <= put && this.#current!.bytes > bytesMin) await this.#seal();
      for (const segment of this.#local().filter(({ lastPut }) => lastPut <= put)) await this.#drop(segment);
    });
  }

  /** The records of segments that an earlier process left without an index. */
  async *leftBehind(): AsyncGenerator<StoredRecord> {
    for (const segment of this.#sealed.filter(({ lastPut, hasIndex }) => lastPut === 0 && !hasIndex)) {
      try {
        yield* segment.records();
      } catch (error) {
        if (!(error instanceof ObjectMissing || error instanceof IndexDamaged)) throw error;
        this.#note(segment.path, 0, error.message);
      }
    }
  }

  /** Bytes of segments that have not been written since then, and are not in object storage. */
  async bytesToMove(beforeMs: number): Promise<number> {
    if ((this.#current?.createdMs ?? beforeMs) < beforeMs) await this.rest();
    const ready = (await this.#moved?.ready(beforeMs)) ?? [];
    return ready.reduce((sum, { summary }) => sum + summary.bytes, 0);
  }

  /** One step: moves one of these segments into object storage; returns whether there may be more. */
  moveOne(beforeMs: number): Promise<boolean> {
    return this.#changes.run(async () => {
      const [segment] = (await this.#moved?.ready(beforeMs)) ?? [];
      if (segment !== undefined) await this.#using(segment, () => this.#moved!.move(segment));
      return segment !== undefined;
    });
  }

  /** Bytes in object storage. */
  get movedBytes(): number {
    return this.#moved?.bytes ?? 0;
  }

  /** Closes the file that is written. The next record begins another. */
  rest(): Promise<void> {
    return this.#turns.run(() => this.#seal());
  }

  async #readOnce(orgId: string, profileId: string): Promise<FoundRecord | undefined> {
    const orgKey = orgKeyOf(orgId);
    if (this.#current?.has(orgKey, profileId)) return this.#current.read(orgKey, profileId);
    for (const segment of this.#covering(profileId)) {
      const found = await this.#using(segment, () => segment.read(orgKey, profileId));
      if (found !== undefined) return found;
    }
    return undefined;
  }

  #local(): SealedSegment[] {
    return this.#sealed.filter((each) => each instanceof SealedSegment);
  }

  #covering(profileId: string): Segment[] {
    const second = startSecondsOf(profileId) ?? -1;
    return this.#sealed.filter((segment) => segment.covers(second)).reverse();
  }

  async #writable(): Promise<OpenSegment> {
    if (this.#current !== undefined) return this.#current;
    if ((await mkdir(this.folder, { recursive: true, mode: 0o700 })) !== undefined) {
      await syncFolder(dirname(this.folder));
    }
    this.#latestNumber++;
    const path = join(this.folder, segmentName(this.#latestNumber));
    this.#current = await OpenSegment.create(path);
    return this.#current;
  }

  async #seal(): Promise<void> {
    const current = this.#current;
    this.#current = undefined;
    if (current !== undefined) this.#sealed.push(await current.seal());
  }

  /** Earlier records stay readable, unless the file is gone. */
  async #leaveCurrent(error: unknown): Promise<void> {
    const path = this.#current?.path;
    if (path === undefined) return;
    await this.#seal();
    if (error instanceof SegmentLost) await this.#lose(path, "it was deleted or replaced by another program");
  }

  /** Runs an operation on a segment, and forgets the segment if its file is gone. */
  async #using<T>(segment: Segment, operation: () => Promise<T>): Promise<T | undefined> {
    try {
      return await operation();
    } catch (error) {
      const isGone = (error as NodeJS.ErrnoException).code === "ENOENT";
      const isLost = error instanceof ObjectMissing || error instanceof IndexDamaged;
      if (!isGone && !isLost) throw error;
      // Otherwise a removal of the day has come first.
      if (!this.#sealed.includes(segment)) return undefined;
      if (isGone) await this.#lose(segment.path, "it was deleted by another program");
      else if (!this.#problems.has(segment.path)) this.#note(segment.path, 0, (error as Error).message);
      return undefined;
    }
  }

  async #lose(path: string, reason: string): Promise<void> {
    const index = this.#sealed.findIndex((segment) => segment.path === path);
    if (index >= 0) this.#sealed.splice(index, 1);
    await rm(indexPathOf(path), { force: true });
    this.#note(path, 0, reason);
  }

  async #drop(segment: SealedSegment): Promise<void> {
    this.#sealed.splice(this.#sealed.indexOf(segment), 1);
    await rm(indexPathOf(segment.path), { force: true });
    await rm(segment.path, { force: true });
  }

  #note(file: string, damagedBytes: number, reason?: string): void {
    const problem = { file, damagedBytes, ...(reason === undefined ? {} : { reason }) };
    this.#problems.set(file, problem);
    this.#onProblem(problem);
  }
}

function idsIn(segment: Segment, profileIds: readonly string[]): string[] {
  return profileIds.filter((id) => segment.covers(startSecondsOf(id) ?? -1));
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).sort();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  }
}
