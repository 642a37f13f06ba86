import type { LabelSet, ValueColumn } from "@flamekeep/profile";
import type { AddedStacks, WaitingProfile } from "#store/column/awaited-rows.ts";
import { RowBinaryReader, RowBinaryWriter } from "#store/column/client/row-binary.ts";

export interface ProfileFacts {
  readonly orgId: string;
  readonly service: string;
  readonly type: string;
  readonly startedAtMs: number;
  readonly profileId: string;
  readonly receivedAtMs: number;
  readonly durationNs: bigint;
  readonly tags: ReadonlyMap<string, string>;
  readonly extraFacts: ReadonlyMap<string, string>;
  readonly sampleTypes: readonly string[];
  /** By sample type, as the profile itself has them. */
  readonly totals: readonly bigint[];
  /** Stored in 32 bits without a sign, for profiles that count no samples; other readers derive it from the totals. */
  readonly sampleCount: number;
  readonly stackCount: number;
  readonly originalBytes: number;
  readonly rawBytes: number;
  readonly contentHash: string;
  readonly trimmed: ReadonlyMap<string, number>;
  readonly sender: string;
  /** False if samples have labels that the row does not have. */
  readonly areLabelsRecorded: boolean;
}

/** The labels of the samples: which stack has which set of labels. */
export interface AddedLabels {
  readonly sets: readonly LabelSet[];
  /** Parallel to `stackIds`: 0 for samples without labels, else the number of the set. */
  readonly setOf: Uint16Array;
  /** By sample type and set. */
  readonly totals: readonly ValueColumn[];
}

/** The values that a profile adds to its series. */
export interface Added {
  /** Little-endian words of 64 bits. A stack is repeated for each set of labels that its samples have. */
  readonly stackIds: ArrayBufferView;
  /** By sample type: the sum of its values. */
  readonly totals: readonly bigint[];
  /** By sample type, parallel to `stackIds`. */
  readonly values: readonly ValueColumn[];
  /** Undefined if no sample has labels. */
  readonly labels: AddedLabels | undefined;
  /** The values of a snapshot as it was sent, for servers that do not keep its bytes; `values` has what it adds. */
  readonly snapshot?: StackValues | undefined;
}

interface StackValues {
  /** Little-endian words of 64 bits. */
  readonly stackIds: ArrayBufferView;
  /** By sample type, parallel to `stackIds`. */
  readonly values: readonly ValueColumn[];
}

type FactsColumn = (writer: RowBinaryWriter, facts: ProfileFacts) => void;

/** The columns that describe a profile, in order. */
const factsColumns = {
  org_id: (writer, { orgId }) => writer.uuid(orgId),
  service: (writer, { service }) => writer.text(service),
  type: (writer, { type }) => writer.text(type),
  started_at: (writer, { startedAtMs }) => writer.int64(BigInt(startedAtMs)),
  profile_id: (writer, { profileId }) => writer.text(profileId),
  received_at: (writer, { receivedAtMs }) => writer.int64(BigInt(receivedAtMs)),
  duration_ns: (writer, { durationNs }) => writer.int64(durationNs),
  tags: (writer, { tags }) => writer.map(tags, (text) => writer.text(text)),
  facts: (writer, { extraFacts }) => writer.map(extraFacts, (text) => writer.text(text)),
  sample_types: (writer, { sampleTypes }) => writer.array(sampleTypes, (text) => writer.text(text)),
  totals: (writer, { totals }) => writer.array(totals, (total) => writer.int64(total)),
  sample_count: (writer, { sampleCount }) => writer.uint32(Math.min(Math.max(0, sampleCount), 0xffff_ffff)),
  stack_count: (writer, { stackCount }) => writer.uint32(stackCount),
  original_bytes: (writer, { originalBytes }) => writer.uint32(originalBytes),
  raw_bytes: (writer, { rawBytes }) => writer.uint32(rawBytes),
  content_hash: (writer, { contentHash }) => writer.text(contentHash),
  trimmed: (writer, { trimmed }) => writer.map(trimmed, (count) => writer.int64(BigInt(count))),
  sender: (writer, { sender }) => writer.text(sender),
  labels_recorded: (writer, { areLabelsRecorded }) => writer.uint8(Number(areLabelsRecorded)),
} as const satisfies Readonly<Record<string, FactsColumn>>;

type AddedColumn = (writer: RowBinaryWriter, added: Added) => void;

/** The columns with the values that a profile adds, in order, behind the others. */
const addedColumns = {
  label_sets: (writer, { labels }) =>
    writer.array(labels?.sets ?? [], (set) => writer.map(set, (value) => writer.text(value))),
  sample_sets(writer, { labels }) {
    const { buffer, byteOffset, byteLength, length } = labels?.setOf ?? noSets;
    writer.length(length);
    writer.bytes(new Uint8Array(buffer, byteOffset, byteLength));
  },
  stacks: (writer, { stackIds }) => writer.words(stackIds),
  deltas_totals: (writer, { totals }) => writer.array(totals, (total) => writer.int64(total)),
  values: (writer, { values }) => writer.array(values, (column) => writer.int64s(column)),
  label_totals: (writer, { labels }) => writer.array(labels?.totals ?? [], (column) => writer.int64s(column)),
  snapshot_stacks: (writer, { snapshot }) => writer.words(snapshot?.stackIds ?? noStacks),
  snapshot_values: (writer, { snapshot }) =>
    writer.array(snapshot?.values ?? [], (column) => writer.int64s(column)),
} as const satisfies Readonly<Record<string, AddedColumn>>;

/** The columns of table `profiles` in the order in which rows have them. */
export const profileColumnNames = [...Object.keys(factsColumns), ...Object.keys(addedColumns)];

const factsWriters: readonly FactsColumn[] = Object.values(factsColumns);
const addedWriters: readonly AddedColumn[] = Object.values(addedColumns);
const noSets = new Uint16Array(0);
const noStacks = new Uint32Array(0);
const factsBytes = 1024;
const expectedSetBytes = 64;

/** The row of table `profiles` in RowBinary. */
export function encodeRow(facts: ProfileFacts, added: Added): Buffer<ArrayBuffer> {
  const writer = new RowBinaryWriter(factsBytes + expectedBytes(added));
  for (const write of factsWriters) write(writer, facts);
  for (const write of addedWriters) write(writer, added);
  return writer.finish();
}

/** The profiles of rows that `encodeRow` made: an entry for each. */
export function readProfiles(rows: Uint8Array): WaitingProfile[] {
  const bytes = Buffer.from(rows.buffer, rows.byteOffset, rows.byteLength);
  const reader = new RowBinaryReader(bytes);
  const profiles: WaitingProfile[] = [];
  while (!reader.isAtEnd) {
    const profile = readUntilStacks(reader);
    const { sampleTypes } = profile;
    const { at } = reader;
    reader.skip(8 * reader.length());
    const deltas = Float64Array.from(reader.int64s(), Number);
    for (const _column of ["values", "label_totals"]) skipValues(reader);
    reader.skip(8 * reader.length());
    skipValues(reader);
    let added: AddedStacks | undefined;
    const stacks = () => {
      added ??= { sampleTypes, ...readAdded(new RowBinaryReader(bytes.subarray(at))) };
      return added;
    };
    profiles.push({ ...profile, deltas, stacks });
  }
  return profiles;
}

/** Reads the columns before `stacks`, in their order. */
function readUntilStacks(reader: RowBinaryReader): Omit<WaitingProfile, "deltas" | "stacks"> {
  reader.skip(16);
  const [service, type] = [reader.text(), reader.text()];
  const startedMs = Float64Array.of(Number(reader.int64()));
  reader.bytes();
  reader.skip(8);
  const durationNs = Float64Array.of(Number(reader.int64()));
  for (const _map of ["tags", "facts"]) skipTexts(reader, 2 * reader.length());
  const sampleTypes = reader.texts();
  reader.skip(8 * reader.length());
  const sampleCounts = Float64Array.of(reader.uint32());
  reader.skip(3 * 4);
  reader.bytes();
  for (let left = reader.length(); left > 0; left--) {
    reader.bytes();
    reader.skip(8);
  }
  reader.bytes();
  reader.skip(1);
  for (let sets = reader.length(); sets > 0; sets--) skipTexts(reader, 2 * reader.length());
  reader.skip(2 * reader.length());
  return { service, type, sampleTypes, startedMs, durationNs, sampleCounts };
}

function readAdded(reader: RowBinaryReader): Omit<AddedStacks, "sampleTypes"> {
  const [ids, totals] = [reader.uint64s(), reader.int64s()];
  return { ids, totals, values: Array.from({ length: reader.length() }, () => reader.int64s()) };
}

function skipValues(reader: RowBinaryReader): void {
  for (let left = reader.length(); left > 0; left--) reader.skip(8 * reader.length());
}

function skipTexts(reader: RowBinaryReader, count: number): void {
  for (let left = count; left > 0; left--) reader.bytes();
}

/** Sets to zero what `row`, made by `encodeRow`, adds to its counters. */
export function clearCounters(row: Uint8Array, isCounter: readonly boolean[]): void {
  const reader = new RowBinaryReader(Buffer.from(row.buffer, row.byteOffset, row.byteLength));
  const clear = (type: number, count: number) => {
    if (isCounter[type]) row.fill(0, reader.at, reader.at + 8 * count);
    reader.skip(8 * count);
  };
  readUntilStacks(reader);
  reader.skip(8 * reader.length());
  const types = reader.length();
  for (let type = 0; type < types; type++) clear(type, 1);
  for (const _column of ["values", "label_totals"]) {
    const columns = reader.length();
    for (let type = 0; type < columns; type++) clear(type, reader.length());
  }
}

function expectedBytes({ stackIds, values, labels, snapshot }: Added): number {
  const setBytes = labels === undefined ? 0 : labels.sets.length * (expectedSetBytes + 8 * values.length);
  const setOfBytes = labels?.setOf.byteLength ?? 0;
  const snapshotBytes = snapshot === undefined ? 0 : valueBytes(snapshot);
  return 64 + valueBytes({ stackIds, values }) + setBytes + setOfBytes + snapshotBytes;
}

function valueBytes({ stackIds, values }: StackValues): number {
  return (1 + values.length) * (stackIds.byteLength + 16);
}
