import { describe, expect, it } from "vitest";
import { Interner } from "#memory/interner.ts";
import { profileOf, stacksOf } from "../testing/index.ts";
import { foldStacks } from "./combine-stacks.ts";
import { hashStacks } from "./hash-stacks.ts";
import { totalOf } from "./total-of.ts";

describe("summing stacks", () => {
  it("sums equal stacks and keeps others apart", () => {
    const stacks = stacksOf(`
      main     main     main     main
      handle   handle   gc       handle
      encode   query             encode
      30       50       20       1`);
    expect(foldStacks(stacks, 0)).toBe("main;handle;encode 31\nmain;handle;query 50\nmain;gc 20\n");
    expect(stacks.length).toBe(3);
  });

  it("keeps lines of one function apart, and folds them into one", () => {
    const stacks = stacksOf(`
      main          main
      work@a.go:1   work@a.go:2
      1             2`);
    expect(stacks.length).toBe(2);
    expect(foldStacks(stacks, 0)).toBe("main;work 3\n");
  });

  it("keeps every sample type", () => {
    const stacks = stacksOf("main main\n3,300 4,400", { sampleTypes: ["samples/count", "cpu/nanoseconds"] });
    expect(stacks.values.map(totalOf)).toEqual([7, 700]);
  });

  it("keeps sums beyond 2^53 exact", () => {
    const stacks = stacksOf(`main main\n9007199254740993 2`);
    expect(foldStacks(stacks, 0)).toBe("main 9007199254740995\n");
  });
});

describe("content ids", () => {
  it("are the same for equal frames and stacks of different profiles", () => {
    const first = hashStacks(stacksOf("main main\nwork idle\n1 2"));
    const second = hashStacks(stacksOf("other main\nwork idle\n1 2"));
    expect(first.stackIds.slice(2)).toEqual(second.stackIds.slice(2));
    expect(first.stackIds.slice(0, 2)).not.toEqual(second.stackIds.slice(0, 2));
  });

  it("are the same when computed from bytes and from text", () => {
    const stacks = stacksOf("main 日本語@é.go:3\n1 2", {});
    const { ids: _, ...bare } = stacks;
    const { ids: __, ...frames } = stacks.frames;
    expect(hashStacks({ ...bare, frames })).toEqual(hashStacks(stacks));
  });

  it("never change, because they are stored", () => {
    const { stackIds, frameIds } = hashStacks(stacksOf("main\nmain.work@main.go:12\n1"));
    expect([...new BigUint64Array(frameIds.buffer)]).toMatchInlineSnapshot(`
      [
        6030009098760120735n,
        10509790778182590320n,
      ]
    `);
    expect([...new BigUint64Array(stackIds.buffer)]).toMatchInlineSnapshot(`
      [
        8939472696353867608n,
      ]
    `);
  });

  it("do not collide over many similar frames", () => {
    const words: number[] = [];
    const profile = profileOf("a\n1");
    const names = Array.from(
      { length: 200_000 },
      (_, i) => `github.com/acme/shop/internal/store.(*Cart).Item${i}`,
    );
    const { ids: _, ...frames } = stacksOf("a\n1").frames;
    const table = {
      ...frames,
      length: names.length,
      functionName: names,
      file: names.map(() => "store.go"),
      line: new Int32Array(names.length),
      startLine: new Int32Array(names.length),
    };
    const { frameIds } = hashStacks({ ...stacksOf("a\n1"), frames: table });
    for (const word of frameIds) words.push(word);
    const pairs = new Set(
      Array.from({ length: names.length }, (_, i) => `${words[2 * i]}:${words[2 * i + 1]}`),
    );
    expect(profile.samples.length).toBe(1);
    expect(pairs.size).toBe(names.length);
    const low = new Set(Array.from({ length: names.length }, (_, i) => words[2 * i]));
    // Of 200,000 random 32-bit words about 5 pairs are equal.
    expect(low.size).toBeGreaterThan(names.length - 30);
  });
});

it("an interner stays correct and fast if all hashes are equal", () => {
  const words = Uint32Array.from({ length: 20_001 }, (_, i) => i % 10_000);
  const interner = new Interner(20_000, words, (run) => run);
  const numbers = Array.from({ length: 20_000 }, (_, i) => interner.intern(7, i, i + 1));
  expect(interner.length).toBe(10_000);
  expect(numbers.slice(10_000)).toEqual(numbers.slice(0, 10_000));
});
