import type { ColumnMaintenance } from "#store/column/maintenance/column-maintenance.ts";
import type { ColumnReader } from "#store/column/query.ts";
import type { ReadScope } from "#store/column/read-cache/changes.ts";
import { scopeOf } from "#store/column/read-cache/read-cache.ts";

type SettleRows = (scope: ReadScope | undefined) => Promise<void>;

/**
 * Rows that are acknowledged and not inserted yet. Every read waits for those of its scope, so that all acknowledged rows are
 * always read.
 */
export class AwaitedRows {
  readonly #settle = new Set<SettleRows>();

  /** @param settle resolves when rows of the scope are inserted; returns a function that ends it */
  add(settle: SettleRows): () => void {
    this.#settle.add(settle);
    return () => this.#settle.delete(settle);
  }

  async settled(scope: ReadScope | undefined): Promise<void> {
    for (const settle of [...this.#settle]) await settle(scope);
  }

  /** Runs a read with these parameters after the rows that it may read were inserted. */
  before<T>(params: unknown, read: () => Promise<T>): Promise<T> {
    return this.#settle.size === 0 ? read() : this.settled(scopeOf(params)).then(read);
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
      removeDays: (...days) => this.before({}, () => direct.removeDays(...days)),
    };
  }
}
