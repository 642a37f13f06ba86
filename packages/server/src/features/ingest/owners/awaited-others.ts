import type { RowsSource } from "#store/column/awaited-rows.ts";
import type { OwnedUploads } from "./owned-uploads.ts";

const noDefinitions = {
  stackIds: [],
  storedFrames: new BigUint64Array(),
  stacks: new Uint8Array(),
  frames: new Uint8Array(),
};

/** Rows that wait at other members: they are stored before a read, so that each member answers with what all have acknowledged. */
export class AwaitedOthers implements RowsSource {
  readonly #owners: OwnedUploads;

  constructor(owners: OwnedUploads) {
    this.#owners = owners;
  }

  readonly settle: RowsSource["settle"] = (scope) => this.#owners.settleOthers(scope);

  readonly waiting: RowsSource["waiting"] = async (scope) => {
    await this.settle(scope);
    return { profiles: [], isCurrent: () => true };
  };

  readonly waitingDefinitions: RowsSource["waitingDefinitions"] = () => noDefinitions;
}
