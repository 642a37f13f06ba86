import { expect, it } from "vitest";
import { ByteRuns } from "./byte-runs.ts";
import { TextBytes } from "./text-bytes.ts";

const textOf = (text: string) => new TextBytes(new TextEncoder().encode(text));

/** The numbers of the words of a text. */
function numbersIn(text: TextBytes): number[] {
  const runs = new ByteRuns(text);
  const numbers: number[] = [];
  for (let from = 0, to = 0; from < text.bytes.length; from = to + 1) {
    to = text.find(0x20, from, text.bytes.length);
    const found = runs.find(text, from, to);
    numbers.push(found >= 0 ? found : runs.add(from, to));
  }
  return numbers;
}

it("numbers equal runs of bytes, and no others, while its table grows", () => {
  const words = Array.from({ length: 20_000 }, (_, at) => `name${(at * 7919) % 5003}`);
  const numbers = new Map<string, number>();
  const expected = words.map((word) => {
    numbers.set(word, numbers.get(word) ?? numbers.size);
    return numbers.get(word)!;
  });
  expect(numbersIn(textOf(words.join(" ")))).toEqual(expected);
});

it("numbers runs whose hashes are all the same", () => {
  const flip = [0x80, 0x10];
  const words = Array.from({ length: 512 }, (_, word) => {
    const bytes = new Uint8Array(72).fill(0x41);
    for (let bit = 0; bit < 9; bit++) if (((word >> bit) & 1) === 1) bytes[8 * bit + 3] ^= flip[0]!;
    return bytes;
  });
  const all = new Uint8Array(words.length * 73).fill(0x20);
  for (const [at, word] of words.entries()) all.set(word, at * 73);
  const twice = new Uint8Array(2 * all.length);
  twice.set(all);
  twice.set(all, all.length);
  const text = new TextBytes(twice);
  text.hashOf = () => 7;
  const first = words.map((_, at) => at);
  expect(numbersIn(text)).toEqual([...first, ...first]);
});
