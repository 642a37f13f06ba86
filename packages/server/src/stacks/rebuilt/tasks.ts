import {
  profileOfStacks,
  type StackTable,
  type TextLabels,
  withTextLabels,
  writeProfile,
} from "@flamekeep/profile";
import { type Resolved, type StoredStacks, tableWithRows } from "#stacks/ranges/stored-stacks.ts";
import { defaultSampleTypeFact, toValueType } from "#store/profiles/profile-row.ts";

/** A profile as its row has it. */
export interface ProfileColumns {
  readonly startedAtMs: number;
  readonly durationNs: bigint;
  /** `cpu/nanoseconds`. */
  readonly sampleTypes: readonly string[];
  readonly facts: ReadonlyMap<string, string>;
  /** A stack is repeated for each set of labels that its samples have. */
  readonly stackIds: BigUint64Array;
  /** By sample type, parallel to `stackIds`. */
  readonly values: readonly BigInt64Array[];
  readonly labelSets: readonly ReadonlyMap<string, string>[];
  /** Parallel to `stackIds`, or empty: 0 for samples without labels, else the number of the set. */
  readonly setOf: Uint16Array;
  readonly comments: readonly string[];
}

/** The profile as pprof, not compressed. Reading it gives the stacks, values and labels of its columns. */
export function rebuildPprof(input: {
  /** One column, with the stacks of the profile. */
  readonly stored: StoredStacks;
  readonly columns: ProfileColumns;
}): Resolved<Uint8Array> {
  const { stored, columns } = input;
  const resolved = tableWithRows(stored);
  if (resolved.missing !== undefined) return resolved;
  const { table, rows } = resolved.value;
  const { functionName, storedName = functionName, ...frames } = table.frames;
  const profile = profileOfStacks(
    {
      sampleTypes: columns.sampleTypes.map(toValueType),
      frames: {
        ...frames,
        functionName: storedName,
        storedName: storedName.map((name, i) => (isDemangled(name, functionName[i]!) ? "" : name)),
      },
      length: columns.stackIds.length,
      ...stacksOf(table, rows[0]!),
      values: columns.values,
    },
    {
      timeNs: BigInt(columns.startedAtMs) * 1_000_000n,
      durationNs: columns.durationNs,
      defaultSampleType: columns.facts.get(defaultSampleTypeFact) ?? "",
      comments: columns.comments,
    },
  );
  return { missing: undefined, value: writeProfile(withTextLabels(profile, labelsOf(columns))) };
}

/**
 * Whether a profiler had demangled the name: tools demangle those that are the system's name too, and shorten them. The runtime of Go
 * writes its names twice.
 */
function isDemangled(storedName: string, shownName: string): boolean {
  return storedName === shownName && !storedName.includes("[go.shape.");
}

/** @param rows the stack of each sample */
function stacksOf(table: StackTable, rows: Uint32Array): Pick<StackTable, "start" | "frame"> {
  const start = new Uint32Array(rows.length + 1);
  for (let i = 0; i < rows.length; i++) {
    start[i + 1] = start[i]! + table.start[rows[i]! + 1]! - table.start[rows[i]!]!;
  }
  const frame = new Uint32Array(start[rows.length]!);
  for (let i = 0; i < rows.length; i++) {
    frame.set(table.frame.subarray(table.start[rows[i]!], table.start[rows[i]! + 1]), start[i]);
  }
  return { start, frame };
}

function labelsOf({ stackIds, labelSets, setOf }: ProfileColumns): TextLabels {
  const labels = { start: [0], key: [] as string[], text: [] as string[] };
  for (let i = 0; i < stackIds.length; i++) {
    for (const [key, text] of labelSets[(setOf[i] ?? 0) - 1] ?? []) {
      labels.key.push(key);
      labels.text.push(text);
    }
    labels.start.push(labels.key.length);
  }
  return labels;
}
