import { expect, it } from "vitest";
import { WireReader } from "#wire/wire-reader.ts";
import { bytesOf, packed } from "../testing/proto.ts";
import { ValueReader } from "./samples.ts";

it("reads values beyond 2^53 in one pass, however many sample types have them", () => {
  const samples = 20;
  const readsOf = (types: number) => {
    const values = Array.from({ length: types }, (_, type) => 2n ** 60n + BigInt(type));
    const sample = bytesOf(packed(2, ...values));
    const wire = new WireReader(
      Uint8Array.from({ length: samples * sample.length }, (_, at) => sample[at % sample.length]),
    );
    const spans = Uint32Array.from({ length: 2 * samples }, (_, at) => sample.length * ((at + 1) >> 1));
    const reader = new ValueReader(wire, types, samples);
    for (let i = 0; i < samples; i++) {
      reader.begin(i);
      for (const value of values) reader.add(Number(value));
    }
    let reads = 0;
    const varint = wire.varint.bind(wire);
    wire.varint = (end) => {
      reads++;
      varint(end);
    };
    expect(reader.columns(spans)).toEqual(values.map((value) => new BigInt64Array(samples).fill(value)));
    return reads;
  };
  // A length and the values of each sample.
  expect(readsOf(10)).toBe(samples * 11);
  expect(readsOf(40)).toBe(samples * 41);
});
