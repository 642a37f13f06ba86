import { limits } from "@flamekeep/contract";
import { type StackTable, totalOf } from "@flamekeep/profile";

/** A frame as charts show it. */
export interface ChartFrame {
  readonly functionName: string;
  readonly file: string;
  /** 0 if unknown. */
  readonly line: number;
}

/** The sum of a column; 0 if there is no such column. */
export function totalIn({ values }: StackTable, column: number): number {
  return Number(totalOf(values[column] ?? new Float64Array()));
}

export function framesOf(stacks: StackTable, stack: number): ChartFrame[] {
  const from = stacks.start[stack]!;
  const to = Math.min(stacks.start[stack + 1]!, from + limits.chartFramesMax);
  return Array.from(stacks.frame.subarray(from, to), (frame) => frameOf(stacks, frame)!);
}

export function frameOf({ frames }: StackTable, frame: number | undefined): ChartFrame | undefined {
  if (frame === undefined) return undefined;
  return { functionName: frames.functionName[frame]!, file: frames.file[frame]!, line: frames.line[frame]! };
}
