import type { FrameGrouping } from "@flamekeep/contract";
import { byInstantiation, byLine, byStoredFrame } from "@flamekeep/flame";
import type { StackTable } from "@flamekeep/profile";

/** Which frames of stacks are one. */
export interface Grouped {
  readonly groupBy: FrameGrouping;
  /** Whether each stored frame is a row. */
  readonly hasStoredFrames: boolean;
}

/** The stacks with the frames that a caller asks for. */
export function groupedFrames(stacks: StackTable, { groupBy, hasStoredFrames }: Grouped): StackTable {
  const grouped = groupings[groupBy](stacks);
  return hasStoredFrames ? byStoredFrame(grouped, stacks) : grouped;
}

const groupings: Readonly<Record<FrameGrouping, (stacks: StackTable) => StackTable>> = {
  function: (stacks) => stacks,
  line: byLine,
  instantiation: byInstantiation,
};
