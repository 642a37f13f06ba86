import { type Measure, scaled } from "./measure.ts";

const steps = [
  [1, "B"],
  [1024, "KiB"],
  [1024 ** 2, "MiB"],
  [1024 ** 3, "GiB"],
  [1024 ** 4, "TiB"],
] as const;

export function bytesMeasure(bytes: number): Measure {
  return scaled(bytes, steps);
}
