import type { ValueType } from "@flamekeep/profile";
import type { ColumnsHead, FlameMeta, MergeMeta } from "./sections.ts";

/** The JSON object at the head of a file. */
export type Fields = Readonly<Record<string, unknown>>;

type Fail = (problem: string) => never;

/** The most columns of a graph: bounds the memory that a few bytes can ask for. */
const columnsMax = 64;

/** The facts about the columns, and the other fields. */
export function readHead(
  { valueType: type, scale, divisors, ...fields }: Fields,
  fail: Fail,
): ColumnsHead & { readonly fields: Fields } {
  const valueType = asObject(type);
  if (valueType === undefined || !areTexts(valueType.type, valueType.unit))
    return fail("meta without valueType");
  if (!areFactors(scale) || !areFactors(divisors) || scale.length !== divisors.length)
    return fail("meta without columns");
  return { valueType: valueType as unknown as ValueType, scale, divisors, fields };
}

function areFactors(value: unknown): value is readonly number[] {
  return Array.isArray(value) && value.length > 0 && value.length <= columnsMax && value.every(isFactor);
}

/** Finite and above zero. */
export function isFactor(value: unknown): boolean {
  return typeof value === "number" && value > 0 && Number.isFinite(value);
}

export function readFlameMeta(fields: Fields, fail: Fail): FlameMeta {
  const { profileId, totalSamples, durationMs, profileHash, merge } = fields;
  if (!areTexts(profileId, profileHash)) return fail("meta without profile");
  if (!areNumbers(totalSamples, durationMs)) return fail("meta without totals");
  const meta = { profileId, totalSamples, durationMs, profileHash } as unknown as FlameMeta;
  return merge === undefined ? meta : { ...meta, merge: readMerge(merge, fail) };
}

function readMerge(value: unknown, fail: Fail): MergeMeta {
  const fields = asObject(value) ?? {};
  const { service, type, from, to, profilesMerged, aggregation, sampleTypes, tags } = fields;
  const isComplete =
    areTexts(service, type, from, to, ...Object.values(asObject(tags) ?? [undefined])) &&
    isTextList(sampleTypes) &&
    areNumbers(profilesMerged) &&
    (aggregation === "sum" || aggregation === "mean");
  return isComplete ? (fields as unknown as MergeMeta) : fail("merge is incomplete");
}

export function areTexts(...values: unknown[]): boolean {
  return values.every((value) => typeof value === "string");
}

export function areNumbers(...values: unknown[]): boolean {
  return values.every((value) => typeof value === "number");
}

export function isTextList(value: unknown): boolean {
  return Array.isArray(value) && areTexts(...value);
}

export function parseObject(text: string): Fields | undefined {
  try {
    return asObject(JSON.parse(text));
  } catch {
    return undefined;
  }
}

export function asObject(value: unknown): Record<string, unknown> | undefined {
  return typeof value === "object" && value !== null ? { ...value } : undefined;
}
