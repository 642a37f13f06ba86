import fc from "fast-check";
import { expect, test } from "vitest";
import { IdSet } from "./id-set.ts";

/** The fewest that a set has. */
const slots = 4096;

test("reports each id as new once", () => {
  const word = fc.nat({ max: 40 }).map((n) => (n * 0x9e3779b1) >>> 0);
  fc.assert(
    fc.property(fc.array(fc.tuple(word, word), { maxLength: 500 }), (ids) => {
      const set = new IdSet(slots);
      const known = new Set<string>();
      for (const [low, high] of ids) {
        const isNew = set.add(low, high);
        expect(isNew).toBe((low === 0 && high === 0) || !known.has(`${low}:${high}`));
        if (low !== 0 || high !== 0) known.add(`${low}:${high}`);
      }
      expect(set.size).toBe(known.size);
    }),
  );
});

/** Ids spread like hashes. */
function idsFrom(first: number, count: number): Uint32Array {
  return Uint32Array.from({ length: 2 * count }, (_, i) => {
    const bits = Math.imul(2 * first + i + 1, 0x9e3779b1);
    return Math.imul(bits ^ (bits >>> 15), 0x846ca68b) >>> 0;
  });
}

/** As an upload does: looks the ids up, and adds those that are missing. */
function use(set: IdSet, ids: Uint32Array): number[] {
  const missing = set.missing(ids, ids.length / 2, 0, 0);
  for (const i of missing) set.add(ids[2 * i]!, ids[2 * i + 1]!);
  return missing;
}

test("never finds an id that was not added, however full and old", () => {
  // Many ids of few windows, which are soon full.
  const id = fc.tuple(fc.nat({ max: 47 }), fc.nat({ max: 3 })).map(([slot, high]) => [slot, high] as const);
  const ids = fc.array(fc.tuple(id, fc.nat({ max: 3 })), { maxLength: 60 });
  const step = fc.oneof({ weight: 8, arbitrary: ids }, fc.constantFrom("age" as const, "clear" as const));
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const set = new IdSet(slots);
      const added = new Set<string>();
      for (const each of steps) {
        if (each === "age") set.ageAll();
        else if (each === "clear") {
          set.clear();
          added.clear();
        } else {
          const words = Uint32Array.from(each.flatMap(([[slot, high], turn]) => [turn * slots + slot, high]));
          const keys = each.map((_, i) => `${words[2 * i]}:${words[2 * i + 1]}`);
          const missing = new Set(use(set, words));
          expect(keys.filter((key, i) => !missing.has(i) && !added.has(key))).toEqual([]);
          for (const i of missing) added.add(keys[i]!);
        }
      }
    }),
  );
});

test("grows, and finds all that fit", () => {
  const set = new IdSet(4 * slots);
  for (let pass = 0; pass < 3; pass++) {
    for (let first = 0; first < 2 * slots; first += 1000) {
      const missing = use(set, idsFrom(first, 1000)).length;
      if (pass === 0) expect(missing).toBe(1000);
      else expect(missing).toBeLessThan(20);
    }
  }
  expect(set.size).toBeGreaterThan(1.9 * slots);
  set.clear();
  expect(set.size).toBe(0);
});

test("finds half of twice as many ids as it has places, whichever come first", () => {
  const set = new IdSet(slots);
  for (let pass = 0; pass < 10; pass++) {
    const missing = use(set, idsFrom(0, 2 * slots)).length;
    if (pass > 0) expect(missing).toBeLessThan(1.05 * slots);
  }
});

test("replaces what is not used any more", () => {
  const set = new IdSet(slots);
  use(set, idsFrom(0, 2 * slots));
  const later = idsFrom(2 * slots, slots / 2);
  expect(use(set, later).length).toBe(slots / 2);
  expect(use(set, later).length).toBeGreaterThan(slots / 4);
  for (let pass = 0; pass < 17; pass++) use(set, later);
  expect(use(set, later).length).toBeLessThan(slots / 100);
});

test("keeps what is used when ids come that are used once", () => {
  const set = new IdSet(slots);
  const used = idsFrom(0, slots / 2);
  use(set, used);
  for (let pass = 1; pass < 40; pass++) {
    expect(use(set, used).length).toBeLessThan(slots / 100);
    use(set, idsFrom(pass * slots, slots / 2));
  }
});

test("a new day takes the places of the day before at once, and does not grow for it", () => {
  const full = new IdSet(slots);
  const roomy = new IdSet(16 * slots);
  for (let day = 0; day < 10; day++) {
    full.ageAll();
    roomy.ageAll();
    const ids = idsFrom(day * slots, slots / 2);
    for (const set of [full, roomy]) {
      expect(use(set, ids).length).toBe(slots / 2);
      expect(use(set, ids).length).toBeLessThan(slots / 100);
    }
  }
  expect(roomy.size).toBeLessThan(2 * slots);
});

test("finds the missing ids among many, through a salt", () => {
  const set = new IdSet(slots);
  const ids = Uint32Array.from([1, 2, 3, 4, 5, 6, 0, 0, 0x9e3779b1, 0xffffffff]);
  const salt = [0xdeadbeef, 7] as const;
  const put = (place: number) =>
    set.add((ids[2 * place]! ^ salt[0]) >>> 0, (ids[2 * place + 1]! ^ salt[1]) >>> 0);
  expect(set.missing(ids, 5, ...salt)).toEqual([0, 1, 2, 3, 4]);
  put(1);
  put(4);
  expect(set.missing(ids, 5, ...salt)).toEqual([0, 2, 3]);
  expect(set.missing(ids, 2, ...salt)).toEqual([0]);
});
