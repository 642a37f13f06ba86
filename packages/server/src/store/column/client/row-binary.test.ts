import { expect, it } from "vitest";
import { lengthBytes, RowBinaryReader, RowBinaryWriter } from "./row-binary.ts";

it("reads what it wrote, beyond the memory that was expected", () => {
  const writer = new RowBinaryWriter(1);
  const lengths = [0, 1, 127, 128, 300, 16_384, 2 ** 28];
  const words = [0x0807_0605_0403_0201n, 2n ** 64n - 1n];
  for (const length of lengths) writer.length(length);
  writer.uint32(0xfedc_ba98);
  writer.int64(-2n);
  writer.word(0x0403_0201, 0x0807_0605);
  writer.text("naïve");
  writer.array(["a", "b"], (text) => writer.text(text));
  writer.words(BigUint64Array.from(words));
  writer.int64s(Float64Array.of(-1, 2 ** 40 + 3));
  writer.int64s(BigInt64Array.of(-5n));
  writer.words(Float64Array.of(1.5, -2));
  writer.map(new Map([["k", 3]]), (value) => writer.uint8(value));
  const bytes = writer.finish();

  const reader = new RowBinaryReader(bytes);
  expect(lengths.map(() => reader.length())).toEqual(lengths);
  expect([reader.uint32(), reader.int64(), reader.uint64()]).toEqual([0xfedc_ba98, -2n, words[0]]);
  expect([reader.text(), reader.texts()]).toEqual(["naïve", ["a", "b"]]);
  expect([...reader.uint64s()]).toEqual(words);
  expect([...reader.int64s(), ...reader.int64s()]).toEqual([-1n, 2n ** 40n + 3n, -5n]);
  expect([...reader.float64s()]).toEqual([1.5, -2]);
  expect([reader.length(), reader.text(), reader.isAtEnd]).toEqual([1, "k", false]);
  reader.skip(1);
  expect(reader.isAtEnd).toBe(true);
  expect(lengths.reduce((sum, length) => sum + lengthBytes(length), 0)).toBe(1 + 1 + 1 + 2 + 2 + 3 + 5);
});

it("writes a date and an id as the engine reads them", () => {
  const writer = new RowBinaryWriter(16);
  writer.date("1970-09-14");
  writer.uuid("00010203-0405-0607-0809-0a0b0c0d0e0f");
  expect(writer.finish().toString("hex")).toBe("000107060504030201000f0e0d0c0b0a0908");
});

it("refuses what ends inside a value", () => {
  for (const bytes of [[0x80], [2, 0x61]]) {
    const reader = new RowBinaryReader(Buffer.from(bytes));
    expect(() => reader.text()).toThrow("RowBinary ends inside a value");
  }
});
