import type { StackTable } from "@flamekeep/profile";

const units: Readonly<Record<string, string>> = {
  nanoseconds: "nanoseconds",
  microseconds: "microseconds",
  milliseconds: "milliseconds",
  seconds: "seconds",
  bytes: "bytes",
};

/**
 * The stacks in the file format of https://www.speedscope.app: one profile for each sample type, the samples in the order of the picture. It
 * has no negative weights.
 */
export function speedscopeJson(stacks: StackTable, name: string): string {
  const { frames } = stacks;
  const samples = samplesOf(stacks);
  return JSON.stringify({
    $schema: "https://www.speedscope.app/file-format-schema.json",
    exporter: "flamekeep",
    name,
    activeProfileIndex: stacks.sampleTypes.length - 1,
    shared: {
      frames: frames.functionName.map((functionName, at) => ({
        name: functionName,
        ...(frames.file[at] !== "" && { file: frames.file[at] }),
        ...(lineOf(frames, at) > 0 && { line: lineOf(frames, at) }),
      })),
    },
    profiles: stacks.sampleTypes.map(({ type, unit }, at) => {
      const weights = [...stacks.values[at]].map((value) => Math.max(0, Number(value)));
      return {
        type: "sampled",
        name: stacks.sampleTypes.length === 1 ? `${name} ${type}` : type,
        unit: units[unit] ?? "none",
        startValue: 0,
        endValue: weights.reduce((sum, weight) => sum + weight, 0),
        samples,
        weights,
      };
    }),
  });
}

function lineOf({ line, startLine }: StackTable["frames"], at: number): number {
  return line[at] || startLine[at];
}

/** Frames of each stack, outermost first. */
function samplesOf({ start, frame, length }: StackTable): number[][] {
  return Array.from({ length }, (_, stack) =>
    Array.from(frame.subarray(start[stack], start[stack + 1])).reverse(),
  );
}
