import type { ColumnMaintenance } from "#store/column/maintenance/column-maintenance.ts";
import type { ColumnReader } from "#store/column/query.ts";
import type { Profiles } from "#store/column/read/profile-totals-queries.ts";
import type { ReadScope } from "#store/column/read-cache/changes.ts";
import { scopeOf } from "#store/column/read-cache/read-cache.ts";

/** A profile whose row waits. */
export interface WaitingProfile extends Profiles {
  /** To be called before an insert begins, which frees the row. */
  readonly stacks: () => AddedStacks;
}

/** The values that a profile adds to its series. */
export interface AddedStacks {
  readonly sampleTypes: readonly string[];
  /** By sample type. */
  readonly totals: BigInt64Array;
  /** A stack may occur several times, each with a part of its value. */
  readonly ids: BigUint64Array;
  /** By sample type, parallel to `ids`. */
  readonly values: readonly BigInt64Array[];
}

/** Definitions of stacks and frames, as RowBinary. */
export interface DefinitionBytes {
  /** Rows of stack id (UInt64) and frame ids (Array(UInt64), leaf first). */
  readonly stacks: Uint8Array;
  /** Rows of frame id (UInt64), function, file (String), line and start line (Int64). */
  readonly frames: Uint8Array;
}

/** Definitions that wait or are being inserted. */
export interface WaitingDefinitions extends DefinitionBytes {
  readonly stackIds: readonly bigint[];
  /** Frames of these stacks that are stored already. */
  readonly storedFrames: BigUint64Array;
}

/** Profiles whose rows wait while none of their scope is being inserted. */
export interface WaitingProfiles {
  readonly profiles: readonly WaitingProfile[];
  /** Whether no insert has begun since: then a read of stored rows has found none of them. */
  isCurrent(): boolean;
}

export interface RowsSource {
  /** Resolves when rows of the scope are inserted. */
  settle(scope: ReadScope | undefined): Promise<void>;
  waiting(scope: ReadScope | undefined): Promise<WaitingProfiles>;
  /** How many recounts have begun: a roll-up lacks rows while it is counted again. */
  recounts?(): number;
  /** Those of the stacks with these ids. */
  waitingDefinitions(orgId: string, stackIds: BigUint64Array): WaitingDefinitions;
}

/** More often, an insert that begins during a read is waited for, and recounts are not heeded. */
const attemptsMax = 3;

/**
 * Rows that are acknowledged and not inserted yet. Every read waits for those of its scope, or adds what they hold, so that all
 * acknowledged rows are always read.
 */
export class AwaitedRows {
  readonly #sources = new Set<RowsSource>();

  /** Returns a function that ends it. */
  add(source: RowsSource): () => void {
    this.#sources.add(source);
    return () => this.#sources.delete(source);
  }

  async settled(scope: ReadScope | undefined): Promise<void> {
    for (const source of [...this.#sources]) await source.settle(scope);
  }

  /** Runs a read of sums without an insert: `add` adds the profiles that wait, whatever their time. */
  async withWaiting<T>(
    params: unknown,
    read: () => Promise<T>,
    add: (stored: T, waiting: readonly WaitingProfile[]) => T,
  ): Promise<T> {
    const scope = scopeOf(params);
    for (let attempt = 0; attempt < attemptsMax; attempt++) {
      const waiting = await Promise.all([...this.#sources].map((source) => source.waiting(scope)));
      const stored = await read();
      if (!waiting.every((each) => each.isCurrent())) continue;
      const profiles = waiting.flatMap((each) => each.profiles);
      return profiles.length === 0 ? stored : add(stored, profiles);
    }
    return this.before(params, read);
  }

  /** To be called before stored definitions are read, so that none is missed between the two. */
  definitions(orgId: string, stackIds: BigUint64Array): readonly WaitingDefinitions[] {
    return [...this.#sources].map((source) => source.waitingDefinitions(orgId, stackIds));
  }

  /** Runs a read with these parameters after the rows that it may read were inserted. */
  async before<T>(params: unknown, read: () => Promise<T>): Promise<T> {
    // At once, so that a store that closes next finishes the read.
    if (this.#sources.size === 0) return read();
    const scope = scopeOf(params);
    for (let attempt = 1; ; attempt++) {
      await this.settled(scope);
      const before = this.#recounts();
      const result = await read();
      if (attempt === attemptsMax || this.#recounts() === before) return result;
    }
  }

  #recounts(): number {
    return [...this.#sources].reduce((sum, source) => sum + (source.recounts?.() ?? 0), 0);
  }

  reader(direct: ColumnReader): ColumnReader {
    return {
      query: (statement, params) => this.before(params, () => direct.query(statement, params)),
      queryBytes: (statement, params) => this.before(params, () => direct.queryBytes(statement, params)),
    };
  }

  /** Rows that wait would come after what is summed or removed. */
  maintenance(direct: ColumnMaintenance): ColumnMaintenance {
    return {
      ...direct,
      query: (statement, params) => this.before(params, () => direct.query(statement, params)),
      rollUp: (...range) => this.before({}, () => direct.rollUp(...range)),
      dropDays: (...days) => this.before({}, () => direct.dropDays(...days)),
    };
  }
}
