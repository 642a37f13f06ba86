import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Counters } from "#ingest/rows/counters.ts";
import { judgeSnapshot, processesMax, type SeenProcess, type SeriesClaim } from "./processes.ts";

const minute = 60_000;
const tagged: SeriesClaim = { isSingleProcess: true, otherVersion: undefined, after: undefined };
const untagged: SeriesClaim = { isSingleProcess: false, otherVersion: undefined, after: undefined };

/** A process that counts bytes of three stacks. */
interface Process {
  readonly identity: string;
  readonly totals: number[];
}

function countersOf({ totals }: Process): Counters {
  const ids = [...totals.keys()].filter((i) => totals[i]! > 0);
  return {
    ids: BigUint64Array.from(ids, BigInt),
    values: [BigInt64Array.from(ids, (i) => BigInt(totals[i]!))],
  };
}

function sum(process: Process): number {
  return process.totals.reduce((total, value) => total + value, 0);
}

/** A series that takes snapshots one after the other. */
function series(claim: SeriesClaim) {
  let seen: readonly SeenProcess[] = [];
  let count = 0;
  return (process: Process, minutes: number) => {
    const snapshot = {
      profileId: String(count++),
      identity: process.identity,
      atMs: minutes * minute,
      counters: countersOf(process),
    };
    const judgement = judgeSnapshot(seen, snapshot, claim);
    seen = judgement.seen;
    if (judgement.kind === "mixed") return "mixed";
    return judgement.added.values[0]!.reduce((total, value) => total + Number(value), 0);
  };
}

const amounts = fc.array(fc.nat(1000), { minLength: 3, maxLength: 3 });
const grow = (process: Process, by: readonly number[]) => {
  for (const [i, amount] of by.entries()) process.totals[i]! += amount;
};

describe("with an instance tag", () => {
  test("a process at the address of an ended one is counted from its start, also where it counts the same again", () => {
    const send = series(tagged);
    const life = [
      [10, 0, 0],
      [10, 20, 0],
      [10, 20, 30],
    ];
    const first = life.map((totals, minutes) => send({ identity: "address", totals }, minutes));
    const second = life.map((totals, minutes) => send({ identity: "address", totals }, 10 + minutes));
    expect([first, second]).toEqual([
      [0, 20, 30],
      [10, 20, 30],
    ]);
  });

  test("every process is counted from its start, without what the first one counted before", () => {
    const lives = fc.array(fc.array(amounts, { minLength: 1, maxLength: 6 }), {
      minLength: 1,
      maxLength: 5,
    });
    fc.assert(
      fc.property(lives, fc.array(fc.integer({ min: 1, max: 600 })), (processes, gaps) => {
        const send = series(tagged);
        let minutes = 0;
        let steps = 0;
        let stored = 0;
        let truth = 0;
        for (const [i, steady] of processes.entries()) {
          const process: Process = { identity: `p${i}`, totals: [0, 0, 0] };
          for (const by of steady) {
            minutes += gaps[steps++ % Math.max(1, gaps.length)] ?? 1;
            grow(process, by);
            if (i === 0 && by === steady[0]) truth -= sum(process);
            stored += Number(send(process, minutes));
          }
          truth += sum(process);
        }
        expect(stored).toBe(truth);
      }),
    );
  });

  test("a fallen counter shows a restart if nothing identifies the process", () => {
    const send = series(tagged);
    const stored = [[100], [200], [30], [60]].map(([total], i) =>
      send({ identity: "", totals: [total!, 0, 0] }, i),
    );
    expect(stored).toEqual([0, 100, 30, 30]);
  });
});

describe("without an instance tag", () => {
  test("processes with an identity are counted separately: each adds its growth", () => {
    const steps = fc.array(fc.record({ which: fc.nat(5), by: amounts }), { minLength: 1, maxLength: 60 });
    fc.assert(
      fc.property(fc.array(amounts, { minLength: 6, maxLength: 6 }), steps, (starts, all) => {
        const send = series(untagged);
        // Started long before: nothing of it can have happened between two snapshots.
        const processes = starts.slice(0, 4).map((totals, i) => ({
          identity: `p${i}`,
          totals: totals.map((amount) => 1e9 + amount),
        }));
        const firsts = new Map<Process, number>();
        let stored = 0;
        for (const [i, { which, by }] of all.entries()) {
          const process = processes[which % processes.length]!;
          grow(process, by);
          if (!firsts.has(process)) firsts.set(process, sum(process));
          stored += Number(send(process, i));
        }
        const truth = [...firsts].reduce((total, [process, first]) => total + sum(process) - first, 0);
        expect(stored).toBe(truth);
      }),
    );
  });

  test("two processes that nothing identifies never add more than both counted", () => {
    const turns = fc.array(fc.record({ isFirst: fc.boolean(), by: amounts }), { maxLength: 60 });
    fc.assert(
      fc.property(amounts, amounts, fc.nat(1_000_000), turns, (first, second, age, all) => {
        const send = series(untagged);
        const one: Process = { identity: "", totals: [...first] };
        const other: Process = { identity: "", totals: second.map((amount) => amount + age) };
        let stored = 0;
        for (const [i, { isFirst, by }] of all.entries()) {
          const process = isFirst ? one : other;
          grow(process, by);
          const added = send(process, i);
          stored += added === "mixed" ? 0 : added;
        }
        expect(stored).toBeLessThanOrEqual(sum(one) + sum(other));
      }),
    );
  });

  test("two processes that take turns are refused, all but one of them", () => {
    const send = series(untagged);
    const one: Process = { identity: "", totals: [100, 0, 0] };
    const other: Process = { identity: "", totals: [5000, 0, 0] };
    const answers = Array.from({ length: 6 }, (_, i) => {
      const answer = [send(one, 2 * i), send(other, 2 * i + 1)];
      grow(one, [10, 0, 0]);
      grow(other, [10, 0, 0]);
      return answer;
    });
    expect(answers).toEqual([
      [0, 0],
      ["mixed", 10],
      ["mixed", 10],
      ["mixed", 10],
      ["mixed", 10],
      ["mixed", 10],
    ]);
  });

  test("a refused process is accepted again once the other one has stopped", () => {
    const send = series(untagged);
    const one: Process = { identity: "", totals: [100, 0, 0] };
    const other: Process = { identity: "", totals: [5000, 0, 0] };
    const answers = [send(one, 0), send(other, 1)];
    for (let i = 2; i < 5; i++) {
      grow(one, [10, 0, 0]);
      answers.push(send(one, i));
    }
    expect(answers).toEqual([0, 0, "mixed", 10, 10]);
  });

  test("a restart counts whole where its counters can have grown since the last snapshot", () => {
    const send = series(untagged);
    const at = (identity: string, total: number, minutes: number) =>
      send({ identity, totals: [total, 0, 0] }, minutes);
    expect([at("a", 1000, 0), at("a", 1100, 1), at("b", 150, 2), at("b", 250, 3)]).toEqual([
      0, 100, 150, 100,
    ]);
  });

  test("a restart adds nothing with its first snapshot where its counters cannot have grown that much", () => {
    const send = series(untagged);
    const at = (identity: string, total: number, minutes: number) =>
      send({ identity, totals: [total, 0, 0] }, minutes);
    expect([at("a", 1000, 0), at("a", 1100, 1), at("b", 30_000, 2), at("b", 30_100, 3)]).toEqual([
      0, 100, 0, 100,
    ]);
  });
});

test("the first snapshot under a new version counts where it can have grown since the version before", () => {
  const before = (total: bigint) => ({
    first: { atMs: 0, totals: [0n] },
    last: { atMs: 10 * minute, totals: [total] },
  });
  const added = (otherVersion: SeriesClaim["otherVersion"]) =>
    series({ ...untagged, otherVersion })({ identity: "", totals: [30, 0, 0] }, 11);
  expect(added(before(1000n))).toBe(30);
  expect(added(before(100n))).toBe(0);
  expect(added(undefined)).toBe(0);
});

test("late snapshots add nothing, and do not disturb the next", () => {
  for (const identity of ["", "p"]) {
    const send = series(untagged);
    const at = (total: number, minutes: number) => send({ identity, totals: [total, 0, 0] }, minutes);
    expect([at(10, 0), at(30, 4), at(20, 2), at(30, 4), at(40, 6)]).toEqual([0, 20, 0, 0, 10]);
  }
});

test("processes that were forgotten do not make room for wrong figures", () => {
  const send = series(untagged);
  const processes = Array.from({ length: 9 }, (_, i) => ({
    identity: `p${i}`,
    totals: [1000 * (i + 1), 0, 0],
  }));
  let stored = 0;
  for (let turn = 0; turn < 5; turn++) {
    for (const [i, process] of processes.entries()) {
      stored += Number(send(process, 10 * turn + i));
      grow(process, [5, 0, 0]);
    }
  }
  expect(stored).toBeLessThanOrEqual(9 * 5 * 4);
});

test("the number of remembered processes is bounded, also if a process from the store continues", () => {
  const processes = Array.from({ length: 20 }, (_, i) => ({ identity: `p${i}`, totals: [1e9 + i, 0, 0] }));
  let seen: readonly SeenProcess[] = [];
  const stored = new Map<string, SeenProcess>();
  for (let i = 0; i < 100; i++) {
    const process = processes[i % processes.length]!;
    grow(process, [5, 0, 0]);
    const isRemembered = seen.some(({ identity }) => identity === process.identity);
    const own = isRemembered ? undefined : stored.get(process.identity);
    const snapshot = {
      profileId: String(i),
      identity: process.identity,
      atMs: i * minute,
      counters: countersOf(process),
    };
    const judgement = judgeSnapshot(own === undefined ? seen : [own, ...seen], snapshot, untagged);
    seen = judgement.seen;
    if (judgement.kind === "mixed") throw new Error("The processes have identities.");
    expect(judgement.added.values[0]).toEqual(BigInt64Array.of(i < processes.length ? 0n : 5n));
    expect([seen.length, seen.at(-1)?.identity]).toEqual([Math.min(i + 1, processesMax), process.identity]);
    stored.set(process.identity, seen.at(-1)!);
  }
});
