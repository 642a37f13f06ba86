import type { FrameTable, StackTable } from "#model/stack-table.ts";
import {
  type ContentIds,
  finishId,
  idOfFrame,
  idsOfTexts,
  mixHigh,
  mixLow,
  seedHigh,
  seedLow,
} from "#wire/content-id.ts";

export interface StackIds {
  /** Two halves a stack, low first: the buffer is a little-endian UInt64 array. */
  readonly stackIds: ContentIds;
  readonly frameIds: ContentIds;
}

/** Content ids of stacks and frames, the same on every machine; reuses the table's ids. */
export function hashStacks(table: StackTable): StackIds {
  const frameIds = table.frames.ids ?? idsOfFrames(table.frames);
  if (table.ids !== undefined) return { stackIds: table.ids, frameIds };
  const ids = { stackIds: new Uint32Array(table.length * 2), frameIds };
  for (let i = 0; i < table.length; i++) idOfStack(table.frame, table.start[i], table.start[i + 1], ids, i);
  return ids;
}

/** Writes the id of the stack frame[from, to) as entry `at` of the stack ids. */
export function idOfStack(
  frame: Uint32Array,
  from: number,
  to: number,
  { frameIds, stackIds }: StackIds,
  at: number,
): void {
  let low = seedLow;
  let high = seedHigh;
  for (let i = from; i < to; i++) {
    const id = 2 * frame[i];
    low = mixLow(low, frameIds[id]);
    high = mixHigh(high, frameIds[id + 1]);
  }
  finishId(low, high, to - from, stackIds, at);
}

function idsOfFrames(frames: FrameTable): ContentIds {
  const ids = new Uint32Array(frames.length * 2);
  const names = idsOfTexts(frames.functionName);
  const files = idsOfTexts(frames.file);
  for (let i = 0; i < frames.length; i++) {
    idOfFrame(names.subarray(2 * i), files.subarray(2 * i), frames.line[i], ids, i);
  }
  return ids;
}
