/**
 * Binary flame graph, version 1:
 *
 * ```
 * "FKFG" 1  sectionCount (id byteLength)*  section*
 * ```
 *
 * Numbers are LEB128 varints; columns follow the tree's breadth-first order. Readers skip sections that they do not know,
 * so columns can be added. Totals, widths, positions, parents and levels follow from the columns and are not sent.
 */
export const flameGraphMediaType = "application/vnd.flamekeep.flamegraph.v1";

export const magic = Uint8Array.of(0x46, 0x4b, 0x46, 0x47, 1);

export const section = {
  /** JSON: FlameMeta and the value type. */
  meta: 1,
  /** Count, lengths in UTF-16 units, then all texts as one UTF-8 text. */
  strings: 2,
  /** Count, then columns name, package, file (string indexes) and start line. */
  functions: 3,
  childCount: 4,
  self: 5,
  fn: 6,
  line: 7,
  /** Own samples of each node; absent where they equal `self`. */
  samples: 8,
  elisions: 9,
} as const;

export interface FlameMeta {
  readonly profileId: string;
  readonly totalSamples: number;
  readonly durationMs: number;
  readonly profileHash: string;
}
