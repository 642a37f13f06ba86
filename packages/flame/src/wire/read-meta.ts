import type { ValueType } from "@flamekeep/profile";
import type { ByteReader } from "./byte-reader.ts";
import type { FlameMeta, MergeMeta } from "./sections.ts";
import { fromUtf8 } from "./utf8.ts";

export function readMeta(reader: ByteReader): { readonly meta: FlameMeta; readonly valueType: ValueType } {
  const text = fromUtf8(reader.bytes(reader.remaining));
  const fields = parseObject(text) ?? reader.fail("meta is no JSON object");
  const valueType = asObject(fields.valueType) ?? reader.fail("meta without valueType");
  const string = (from: Record<string, unknown>, key: string) => {
    const value = from[key];
    return typeof value === "string" ? value : reader.fail(`meta without ${key}`);
  };
  const number = (key: string) => {
    const value = fields[key];
    return typeof value === "number" ? value : reader.fail(`meta without ${key}`);
  };
  return {
    meta: {
      profileId: string(fields, "profileId"),
      totalSamples: number("totalSamples"),
      durationMs: number("durationMs"),
      profileHash: string(fields, "profileHash"),
      ...(fields.merge === undefined ? {} : { merge: readMerge(fields.merge, reader) }),
    },
    valueType: { type: string(valueType, "type"), unit: string(valueType, "unit") },
  };
}

function readMerge(value: unknown, reader: ByteReader): MergeMeta {
  const fields = asObject(value);
  const { service, type, from, to, profilesMerged, aggregation, sampleTypes, tags } = fields ?? {};
  const texts = [service, type, from, to, ...Object.values(asObject(tags) ?? [undefined])];
  const isComplete =
    [...texts, ...(Array.isArray(sampleTypes) ? sampleTypes : [undefined])].every(
      (text) => typeof text === "string",
    ) &&
    typeof profilesMerged === "number" &&
    (aggregation === "sum" || aggregation === "mean");
  return isComplete ? (fields as unknown as MergeMeta) : reader.fail("merge is incomplete");
}

export function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    return asObject(JSON.parse(text));
  } catch {
    return undefined;
  }
}

export function asObject(value: unknown): Record<string, unknown> | undefined {
  return typeof value === "object" && value !== null ? { ...value } : undefined;
}
