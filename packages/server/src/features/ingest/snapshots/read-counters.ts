import {
  hashStacks,
  processIdentity,
  readStacks,
  type StackTable,
  withoutGaugeDifferences,
} from "@flamekeep/profile";
import { payloadLimits } from "#decoding/open-profile.ts";
import { inflateUpload } from "#ingest/encode/inflate-upload.ts";
import { wordsAt } from "#ingest/rows/words.ts";
import { ascendingOrder } from "./ascending-order.ts";
import type { Counters } from "./counters.ts";

export interface StoredCounters {
  /** All sample types. */
  readonly stackValues: Counters;
  readonly identity: string;
}

/** The counters of a stored profile and its process; undefined if it cannot be read. */
export function countersOf(payload: Uint8Array): StoredCounters | undefined {
  const inflated = inflateUpload(payload, payloadLimits.bytes);
  if (!inflated.ok) return undefined;
  const { raw } = inflated.value;
  const read = readStacks(raw, payloadLimits);
  if (!read.ok) return undefined;
  const { stacks } = withoutGaugeDifferences(read.profile);
  const stackValues = sortedByStack(stacks, hashStacks(stacks).stackIds);
  return { stackValues, identity: processIdentity(raw, payloadLimits) };
}

/** The stacks by ascending id with all their values, to be compared with an earlier or later profile. */
export function sortedByStack(table: StackTable, stackIds: Uint32Array): Counters {
  const order = ascendingOrder(stackIds, table.length);
  const ids = new BigUint64Array(table.length);
  const halves = new Uint32Array(ids.buffer);
  for (let i = 0; i < order.length; i++) {
    halves[2 * i] = stackIds[2 * order[i]!]!;
    halves[2 * i + 1] = stackIds[2 * order[i]! + 1]!;
  }
  const values = table.values.map((column) => new BigInt64Array(wordsAt(column, order).buffer));
  return { ids, values };
}
