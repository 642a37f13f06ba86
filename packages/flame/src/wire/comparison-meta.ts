import type { ValueType } from "@flamekeep/profile";
import type { ByteReader } from "./byte-reader.ts";
import { asObject, parseObject } from "./read-meta.ts";
import { fromUtf8 } from "./utf8.ts";

/**
 * Binary comparison, version 2: the container of `flameGraphMediaType` with its own header and, instead of one column of self values, one for
 * each side.
 */
export const comparisonMediaType = "application/vnd.flamekeep.flamegraph-diff.v2";

export const comparisonMagic = Uint8Array.of(0x46, 0x4b, 0x46, 0x44, 2);

/**
 * Sections that only a comparison has, next to those that both formats use (meta, strings, functions, childCount, fn, line). 10 has
 * another meaning in a single graph.
 */
export const comparisonSection = {
  selfBefore: 10,
  selfAfter: 11,
  elisions: 12,
  allFramesBefore: 13,
  allFramesAfter: 14,
} as const;

/** The profiles of one side. */
export interface SideMeta {
  /** The id of a single profile; null for a range. */
  readonly profileId: string | null;
  readonly service: string;
  /** ISO 8601, included. */
  readonly from: string;
  /** ISO 8601, not included. */
  readonly to: string;
  readonly tags: Readonly<Record<string, string>>;
  /** The labels that the samples have; an empty value means without the label. Absent for all samples. */
  readonly labels?: Readonly<Record<string, string>>;
  readonly profiles: number;
  readonly durationMs: number;
  readonly total: number;
}

const normalisationUnits = ["request", "second", "profile"] as const;

/** Divisors that make the values of both sides comparable. */
export interface Normalisation {
  readonly per: (typeof normalisationUnits)[number];
  readonly before: number;
  readonly after: number;
}

export interface ComparisonMeta {
  readonly type: string;
  /** Changes with the comparison. */
  readonly hash: string;
  /** The sample types of both sides as `type/unit`, to choose from. */
  readonly sampleTypes: readonly string[];
  /** Values of gauges are the mean over the profiles of a side; of all else the sum. */
  readonly aggregation: "sum" | "mean";
  readonly before: SideMeta;
  readonly after: SideMeta;
  /** The first one is the default. */
  readonly normalisations: readonly [Normalisation, ...Normalisation[]];
  /** Why nothing is per request; null if there is such a normalisation. */
  readonly noRequests: string | null;
}

export interface ReadComparisonMeta {
  readonly meta: ComparisonMeta;
  readonly valueType: ValueType;
  /** The values of each side were multiplied by these to make them whole. */
  readonly multiplied: { readonly before: number; readonly after: number };
}

export function readComparisonMeta(reader: ByteReader): ReadComparisonMeta {
  const fields = parseObject(fromUtf8(reader.bytes(reader.remaining)));
  const isComplete =
    fields !== undefined &&
    areTexts(fields.type, fields.hash) &&
    isTextList(fields.sampleTypes) &&
    (fields.aggregation === "sum" || fields.aggregation === "mean") &&
    isSide(fields.before) &&
    isSide(fields.after) &&
    isList(fields.normalisations, isNormalisation) &&
    fields.normalisations.length > 0 &&
    (fields.noRequests === null || areTexts(fields.noRequests)) &&
    isValueType(fields.valueType) &&
    isPair(fields.multiplied);
  if (!isComplete) return reader.fail("meta of the comparison is incomplete");
  const { valueType, multiplied, ...meta } = fields;
  return { meta: meta as unknown as ComparisonMeta, valueType, multiplied } as ReadComparisonMeta;
}

function areTexts(...values: unknown[]): boolean {
  return values.every((value) => typeof value === "string");
}

function isList(value: unknown, isItem: (item: unknown) => boolean): value is unknown[] {
  return Array.isArray(value) && value.every(isItem);
}

function isTextList(value: unknown): boolean {
  return isList(value, (item) => typeof item === "string");
}

function isValueType(value: unknown): boolean {
  const fields = asObject(value);
  return fields !== undefined && areTexts(fields.type, fields.unit);
}

/** Two divisors: finite and above zero. */
function isPair(value: unknown): boolean {
  const fields = asObject(value);
  return [fields?.before, fields?.after].every(
    (part) => typeof part === "number" && part > 0 && Number.isFinite(part),
  );
}

function isNormalisation(value: unknown): boolean {
  return isPair(value) && (normalisationUnits as readonly unknown[]).includes(asObject(value)?.per);
}

function isSide(value: unknown): boolean {
  const fields = asObject(value);
  if (fields === undefined) return false;
  const { profileId, service, from, to, tags, profiles, durationMs, total } = fields;
  return (
    (profileId === null || areTexts(profileId)) &&
    areTexts(service, from, to, ...Object.values(asObject(tags) ?? [undefined])) &&
    [profiles, durationMs, total].every((number) => typeof number === "number")
  );
}
