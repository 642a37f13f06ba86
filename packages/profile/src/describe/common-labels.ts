import { isOtlpRequest } from "#formats/otlp/request.ts";
import { Refusal } from "#model/profile-error.ts";
import { decodeText, WireReader } from "#wire/wire-reader.ts";

const sampleField = 0x12;
const stringField = 0x32;
const labelField = 0x1a;

/** More than a profile's tags may be. */
const labelsMax = 64;

/**
 * The text labels that every sample has with the same value, as name and value. Numbers are no labels in this sense.
 * Stops reading at a sample that leaves no common label, which in most profiles is the first. `raw` is a profile that was read
 * before; of one that cannot be read there are none.
 */
export function commonLabels(raw: Uint8Array): [name: string, value: string][] {
  // The dictionary of OTLP has the field number of pprof's samples.
  if (isOtlpRequest(raw)) return [];
  try {
    const pairs = commonPairs(new WireReader(raw));
    return pairs.size === 0 ? [] : textsOf(new WireReader(raw), pairs);
  } catch (error) {
    if (error instanceof Refusal) return [];
    throw error;
  }
}

/** Indexes of strings: the key's to the value's. */
type Pairs = Map<number, number>;

function commonPairs(wire: WireReader): Pairs {
  const end = wire.bytes.length;
  let common: Pairs | undefined;
  while (wire.pos < end) {
    const tag = wire.tag(end);
    if (tag !== sampleField) {
      wire.other(tag, end, "profile", []);
      continue;
    }
    const labels = labelsOfSample(wire, wire.block(end, "sample"));
    if (common === undefined) common = labels;
    else for (const [key, text] of common) if (labels.get(key) !== text) common.delete(key);
    if (common.size === 0) return common;
  }
  return common ?? new Map();
}

function labelsOfSample(wire: WireReader, end: number): Pairs {
  const labels: Pairs = new Map();
  while (wire.pos < end) {
    const tag = wire.tag(end);
    if (tag !== labelField) {
      wire.other(tag, end, "sample", []);
      continue;
    }
    const to = wire.block(end, "sample.label");
    let key = 0;
    let text = 0;
    while (wire.pos < to) {
      const field = wire.tag(to);
      if (field !== 0x08 && field !== 0x10) {
        wire.other(field, to, "sample.label", []);
        continue;
      }
      wire.varint(to);
      if (field === 0x08) key = wire.lo;
      else text = wire.lo;
    }
    if (key !== 0 && text !== 0 && labels.size < labelsMax) labels.set(key, text);
  }
  return labels;
}

function textsOf(wire: WireReader, pairs: Pairs): [string, string][] {
  const wanted = new Map([...pairs].flat().map((index): [number, string] => [index, ""]));
  const end = wire.bytes.length;
  for (let index = 0; wire.pos < end; ) {
    const tag = wire.tag(end);
    if (tag !== stringField) {
      wire.other(tag, end, "profile", []);
      continue;
    }
    const to = wire.block(end, "string_table");
    if (wanted.has(index)) wanted.set(index, decodeText(wire.bytes.subarray(wire.pos, to)));
    wire.pos = to;
    index++;
  }
  return [...pairs].map(([key, text]) => [wanted.get(key)!, wanted.get(text)!]);
}
