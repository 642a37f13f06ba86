import type { ValueType } from "@flamekeep/profile";
import type { ByteReader } from "./byte-reader.ts";
import type { FlameMeta } from "./sections.ts";
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
    },
    valueType: { type: string(valueType, "type"), unit: string(valueType, "unit") },
  };
}

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    return asObject(JSON.parse(text));
  } catch {
    return undefined;
  }
}

function asObject(value: unknown): Record<string, unknown> | undefined {
  return typeof value === "object" && value !== null ? { ...value } : undefined;
}
