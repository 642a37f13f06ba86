import { describe, expect, it, vi } from "vitest";
import { describe as describeProfile } from "#describe/describe.ts";
import { labelTotals } from "#describe/label-totals.ts";
import { readFastProfile } from "#fast-reader/fast-profile.ts";
import { defaultLimits } from "#model/limits.ts";
import type { Profile } from "#model/profile.ts";
import { readProfile } from "#read/read-profile.ts";
import { sumStacks } from "#stacks/sum-stacks.ts";
import { writeProfile } from "#write/write-profile.ts";
import { readStacks } from "../read-stacks.ts";
import { block, bytesOf, number, packed } from "../testing/proto.ts";
import { droppedFunctions, withoutDroppedFrames } from "./drop-frames.ts";

interface Patterns {
  readonly drop: string;
  readonly keep?: string;
}

/**
 * A profile of stacks written from the root on. Bars separate locations, and an inlined function follows the one it is
 * inlined in: `main | handle > grow`. A function's name before demangling may follow `=`.
 */
function rawOf({ drop, keep = "" }: Patterns, stacks: readonly string[]): Uint8Array {
  const strings = ["", "samples", "count"];
  const text = indexIn(strings, 0);
  const functions: string[] = [];
  const fn = indexIn(functions, 1);
  const locations: string[] = [];
  const location = indexIn(locations, 1);
  const samples = stacks.map((stack, i) =>
    block(
      2,
      packed(1, ...stack.split(" | ").map(location).reverse()),
      packed(2, i + 1),
      block(3, number(1, text("k")), number(3, 7)),
    ),
  );
  const lines = locations.map((names, i) =>
    block(
      4,
      number(1, i + 1),
      ...names
        .split(" > ")
        .reverse()
        .map((name) => block(4, number(1, fn(name)), number(2, 7))),
    ),
  );
  const names = functions.map((name, i) => {
    const [shown, system = shown] = name.split("=") as [string, string?];
    return block(5, number(1, i + 1), number(2, text(shown)), number(3, text(system)));
  });
  const patterns = [number(7, text(drop)), number(8, text(keep))];
  const table = strings.map((entry) => block(6, entry));
  return bytesOf(block(1, number(1, 1), number(2, 2)), ...samples, ...lines, ...names, ...patterns, ...table);
}

/** @param first the index of the first entry, counted from there on */
function indexIn(list: string[], first: number): (entry: string) => number {
  return (entry) => {
    const known = list.indexOf(entry);
    return first + (known === -1 ? list.push(entry) - 1 : known);
  };
}

function profileOf(patterns: Patterns, stacks: readonly string[]): Profile {
  const result = readProfile(rawOf(patterns, stacks));
  if (!result.ok) throw new Error(result.error.message);
  return result.profile;
}

/** Value and frames, root first. */
function drawn(profile: Profile): string[] {
  const { length, start, frame, frames, values } = sumStacks(profile);
  return Array.from({ length }, (_, i) => {
    const names = Array.from(frame.subarray(start[i], start[i + 1]), (at) => frames.functionName[at]);
    return `${values[0][i]} ${names.reverse().join(" | ")}`;
  });
}

const allocators = [
  "calloc|cfree|malloc|free|(__)?posix_memalign|realloc|tcmalloc::.*|tc_malloc|operator new(\\[\\])?",
  "runtime\\..*|BaseArena::.*|(::)?do_malloc_no_errno|__builtin_(vec_)?new|_M_allocate|allocate",
].join("|");

// The expected stacks are those `go tool pprof -traces` prints for the same profile; where it leaves parameters and template
// arguments out of a name that is shown here in full, the frames are the same.
const vectors: { title: string; patterns: Patterns; stacks: string[]; expected: string[] }[] = [
  {
    title: "the allocators of a C++ program",
    patterns: { drop: allocators },
    stacks: [
      "main | Server::Handle(Request const&) | std::vector<int>::push_back(int const&) | operator new(unsigned long) | tcmalloc::Sampler::Record()",
      "main | Server::Handle(Request const&) | malloc | tc_malloc",
      "main | mallocate",
      "main | free",
      "main | freestanding | do_malloc_no_errno",
    ],
    expected: [
      "1 main | Server::Handle(Request const&) | std::vector<int>::push_back(int const&)",
      "2 main | Server::Handle(Request const&)",
      "3 main | mallocate",
      "4 main",
      "5 main | freestanding",
    ],
  },
  {
    title: "what is to be kept, and nothing before the first frame that is kept",
    patterns: { drop: allocators, keep: "runtime\\.panic|runtime\\.reflectcall|runtime\\.call[0-9]*" },
    stacks: [
      "main.main | runtime.call32 | main.work | runtime.mallocgc | runtime.systemstack",
      "main.main | runtime.panic | runtime.gopanic",
      "runtime.main | main.main | runtime.mallocgc",
      "runtime.goexit | runtime.mcall",
    ],
    expected: [
      "1 main.main | runtime.call32 | main.work",
      "2 main.main | runtime.panic",
      "3 runtime.main | main.main",
      "4 runtime.goexit | runtime.mcall",
    ],
  },
  {
    title: "inlined frames, whose location loses them in every stack",
    patterns: { drop: "tcmalloc::.*|operator new" },
    stacks: [
      "main | handle > grow > operator new(unsigned long) > tcmalloc::fast | page_fault",
      "main | operator new(unsigned long) > tcmalloc::fast",
      "handle > grow > operator new(unsigned long) > tcmalloc::fast | page_fault",
      "handle > grow > operator new(unsigned long) > tcmalloc::fast",
      "main | grow > tcmalloc::a > keep > tcmalloc::b > leaf | other",
    ],
    expected: [
      "1 main | handle | grow",
      "2 main",
      "3 handle | grow | page_fault",
      "4 handle | grow",
      "5 main | grow",
    ],
  },
  {
    title: "names with parameters, template arguments, unnamed namespaces, operators and dots",
    patterns: {
      drop: "ns::\\(anonymous namespace\\)::alloc|Functor::operator\\(\\)|\\.dotted|dotless|Vec::grow|Map::insert",
    },
    stacks: [
      "main | ns::(anonymous namespace)::alloc(int)=_ZN2ns | mmap",
      "main2 | Functor::operator()(int)=_ZF | mmap",
      "main | Functor::operator()(int) | mmap",
      "main4 | .dotless | x",
      "main | .dotted | x",
      "main | ..dotless | x",
      "main7 | Vec<int, std::allocator<int>>::grow(unsigned long) | mmap",
      "main | Vec<int>::grow(unsigned long)=_ZV | mmap",
      "main9 | Map<K(V)>::insert(K) | mmap",
      "main | Map<K>::insert)(x | mmap",
      "main11 | dotless(int)=sys | x",
      "main12 | =dotless(int) | x",
    ],
    expected: [
      "1 main",
      "2 main2",
      "3 main | Functor::operator()(int) | mmap",
      "4 main4",
      "5 main | .dotted | x",
      "6 main | ..dotless | x",
      "7 main7",
      "8 main | Vec<int>::grow(unsigned long) | mmap",
      "9 main9",
      "10 main | Map<K>::insert)(x | mmap",
      "11 main11",
      "12 main12",
    ],
  },
  {
    title: "jemalloc, with a keep_frames that matches an allocator",
    patterns: {
      drop: "je_.*|prof_backtrace_impl|imalloc(_body|_no_sample)?|fallback_impl|std::__1?::allocator.*",
      keep: "je_main",
    },
    stacks: [
      "start | je_main | je_mallocx | prof_backtrace_impl",
      "start | rust::alloc | fallback_impl<true>=_ZN | imalloc_body",
      "start3 | std::__1::allocator<char>::allocate | x",
      "start4 | std::__::allocator<char>::allocate=_ZN3 | x",
    ],
    expected: ["1 start | je_main", "2 start | rust::alloc | fallback_impl<true>", "3 start3", "4 start4"],
  },
  {
    title: "a pattern that leaves the group it is put into",
    patterns: { drop: "a)|(z" },
    stacks: ["main | abc | x", "main2 | xyz | x", "main | bay | x"],
    expected: ["1 main", "2 main2", "3 main | bay | x"],
  },
  {
    title: "the first match from the root",
    patterns: { drop: "b" },
    stacks: ["a | b | c | b | d", "b | a | b | c"],
    expected: ["1 a", "2 b | a"],
  },
  {
    title: "nothing where only keep_frames is given",
    patterns: { drop: "", keep: "main" },
    stacks: ["main | a | x"],
    expected: ["1 main | a | x"],
  },
];

/** A thousand characters `a` and `b`, others for each number, so that no two lead a pattern through the same states. */
function manyStates(number: number): string {
  const power = 3n ** BigInt(700 + number);
  return power.toString(2).slice(0, 1000).replaceAll("0", "a").replaceAll("1", "b");
}

describe("dropping frames", () => {
  it.each(vectors)("drops as pprof does: $title", ({ patterns, stacks, expected }) => {
    expect(drawn(profileOf(patterns, stacks))).toEqual(expected);
  });

  it("does not change the profile, its labels or the bytes written from it", () => {
    const { patterns, stacks } = vectors[2];
    const raw = rawOf(patterns, stacks);
    const profile = profileOf(patterns, stacks);
    const before = structuredClone(profile);
    expect(withoutDroppedFrames(profile).samples.location.length).toBeLessThan(
      profile.samples.location.length,
    );
    expect(profile).toEqual(before);
    expect(labelTotals(profile).labels).toEqual([{ key: "k", value: "7", totals: [15] }]);
    const again = readProfile(writeProfile(profile));
    expect(again).toEqual(readProfile(raw));
  });

  it("applies to stored stacks and statistics", () => {
    const raw = rawOf({ drop: "malloc" }, ["main | work | malloc | mmap", "main | malloc"]);
    expect(readFastProfile(raw, defaultLimits)).toBeUndefined();
    expect(readFastProfile(rawOf({ drop: "", keep: "a" }, ["main"]), defaultLimits)).toBeDefined();
    const profile = profileOf({ drop: "malloc" }, ["main | work | malloc | mmap", "main | malloc"]);
    const stacks = readStacks(raw);
    expect(stacks.ok && stacks.profile.stacks).toEqual(sumStacks(profile));
    expect(
      describeProfile(profile, "cpu").topFunctions.map(({ name, selfValue }) => [name, selfValue]),
    ).toEqual([
      ["main", 2],
      ["work", 1],
    ]);
  });

  it.each([
    ["drop_frames is invalid", { drop: "a(" }],
    ["keep_frames is invalid", { drop: "a", keep: "[" }],
    ["drop_frames is too large", { drop: "(a|b){900}".repeat(4) }],
    ["drop_frames is cut", { drop: `${"é".repeat(5000)}|a` }],
    ["keep_frames is cut", { drop: "a", keep: `${"é".repeat(5000)}|x` }],
  ])("drops nothing, and counts it, where %s", (_, patterns) => {
    const profile = profileOf(patterns, ["main | a | x"]);
    expect(profile.trimmed).toMatchObject({ depth: 0, labels: 0, drop_frames: 1 });
    expect(drawn(profile)).toEqual(["1 main | a | x"]);
    const stacks = readStacks(rawOf(patterns, ["main | a | x"]));
    expect(stacks.ok && stacks.profile.trimmed.drop_frames).toBe(1);
  });

  it("drops nothing, and counts it, where matching would take too long", () => {
    const patterns = { drop: "(a|b)*a(a|b){200}c?|main" };
    const short = profileOf(patterns, ["root | main | aaaa"]);
    expect([short.trimmed.drop_frames, drawn(short)]).toEqual([0, ["1 root"]]);
    const long = profileOf(patterns, [
      ["root", "main", ...Array.from({ length: 20 }, (_, i) => manyStates(i))].join(" | "),
      "root | main",
    ]);
    expect(long.trimmed.drop_frames).toBe(1);
    expect(drawn(long).at(-1)).toBe("2 root | main");
  });

  it("looks at each name once, however many functions have it", () => {
    const looks = (count: number) => {
      const profile = profileOf({ drop: "std::sort" }, ["main | std::sort<int>(int*) | x"]);
      const name = profile.functions.name[1];
      const functions = { ...profile.functions, length: count };
      const all = { name: new Uint32Array(count).fill(name), systemName: new Uint32Array(count).fill(name) };
      const locations = {
        ...profile.locations,
        lineFunction: Uint32Array.from({ length: count }, (_, fn) => fn),
      };
      const indexOf = vi.spyOn(String.prototype, "indexOf");
      const drops = droppedFunctions({ ...profile, functions: { ...functions, ...all }, locations });
      const calls = indexOf.mock.calls.length;
      indexOf.mockRestore();
      expect(drops).toEqual(new Uint8Array(count).fill(1));
      return calls;
    };
    const few = looks(1);
    expect(few).toBeGreaterThan(0);
    expect(looks(500)).toBe(few);
  });
});
