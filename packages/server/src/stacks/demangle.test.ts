import { existsSync, readdirSync, readFileSync } from "node:fs";
import { defaultLimits, readProfile } from "@flamekeep/profile";
import { stacksOf } from "@flamekeep/profile/testing";
import { corpus } from "@flamekeep/profile/testing/corpus";
import { describe, expect, it } from "vitest";
import { Demangler, withDemangledNames } from "./demangle.ts";
import { inflate } from "./inflate.ts";

const vecDrop = "_$LT$alloc..vec..Vec$LT$T$GT$$u20$as$u20$core..ops..Drop$GT$";

describe("a mangled name", () => {
  it.each([
    ["_ZN4shop4Cart3addEi", "shop::Cart::add(int)"],
    ["_ZNSt6vectorIiSaIiEE9push_backERKi", "std::vector<int, std::allocator<int> >::push_back(int const&)"],
    ["_ZL7handlerv", "handler()"],
    ["_ZN12_GLOBAL__N_14hashEv", "(anonymous namespace)::hash()"],
    ["__ZN4shop4hashEv", "shop::hash()"],
    ["_ZN4core3fmt5Write9write_fmt17h0123456789abcdefE", "core::fmt::Write::write_fmt"],
    [
      `_ZN${vecDrop.length}${vecDrop}4drop17h7ef5b1d9e0b1c9a2E`,
      "<alloc::vec::Vec<T> as core::ops::Drop>::drop",
    ],
    ["_RNvCs1234_7mycrate3foo", "mycrate::foo"],
    ["_RNvNtCs1234_7mycrate3bar3foo", "mycrate::bar::foo"],
    ["_RINvNtC3std3mem8align_ofdE", "std::mem::align_of::<f64>"],
    ["_RNvMNtCs1234_7mycrate3fooNtB2_3Bar3baz", ""],
  ])("%s is shown as %s", (name, shown) => {
    const found = new Demangler().shownName(name);
    if (shown !== "") expect(found).toBe(shown);
    expect(found).not.toMatch(/^_/);
  });

  it.each([
    "main.main",
    "handler",
    "_Zebra",
    "_R",
    "_ZN",
    "_Read",
    "__Zone",
    "_ZN4shop4Cart3ad",
    "",
    `_Z${"N1a".repeat(100_000)}`,
  ])("stays if it is none", (name) => {
    expect(new Demangler().shownName(name)).toBe(name);
  });
});

/** `A`, `B<A, A>`, `B<B<A, A>, B<A, A>>` and so on: each argument is twice the one before, and refers to it with a few characters. */
function doubledName(id: number, times: number): string {
  const reference = (number: number) => `S${number.toString(36).toUpperCase()}_`;
  const doubled = Array.from({ length: times }, (_, at) => `S0_I${reference(at + 1)}${reference(at + 1)}E`);
  const name = `run${id}`;
  return `_Z${name.length}${name}1A1BIS_S_E${doubled.join("")}`;
}

describe("names whose parts refer to each other", () => {
  it("are demangled if they are short", () => {
    const name = new Demangler().shownName(doubledName(1, 1));
    expect(name).toBe("run1(A, B<A, A>, B<B<A, A>, B<A, A> >)");
  });

  it("stay where they would take all memory and time, and the others are still demangled", () => {
    const demangler = new Demangler();
    for (const name of [doubledName(1, 60), doubledName(2, 20), doubledName(3, 12)])
      expect(demangler.shownName(name)).toBe(name);
    expect(demangler.shownName("_ZN4shop4hashEv")).toBe("shop::hash()");
  });

  it("end the work on a table that has many of them", () => {
    const demangler = new Demangler();
    for (let id = 0; id < 100; id++) demangler.shownName(doubledName(id, 60));
    expect(demangler.shownName("_ZN4shop4hashEv")).toBe("_ZN4shop4hashEv");
    expect(new Demangler().shownName("_ZN4shop4hashEv")).toBe("shop::hash()");
  });
});

it("has the ids of the stored names, so that stored stacks are found", () => {
  const { frames } = stacksOf(`
    main
    _ZN4shop4hashEv
    3`);
  const shown = withDemangledNames(frames);
  expect(shown.functionName).toEqual(expect.arrayContaining(["main", "shop::hash()"]));
  expect(shown.ids).toEqual(frames.ids);
  const plain = stacksOf("main\n1").frames;
  expect(withDemangledNames(plain)).toBe(plain);
});

const rust = new URL("open/", corpus);

it.skipIf(!existsSync(rust))("is shown demangled in profiles that Rust programs recorded", () => {
  let seen = 0;
  for (const file of readdirSync(rust).filter((each) => each.startsWith("tikv+pprof-rs+"))) {
    const raw = inflate(readFileSync(new URL(encodeURIComponent(file), rust)), 1 << 28);
    const read = raw.ok ? readProfile(raw.bytes, defaultLimits) : undefined;
    if (read?.ok !== true) continue;
    for (const name of read.profile.strings.filter((each) => /^_(?:ZN|R[NIMX])/.test(each))) {
      seen++;
      expect(new Demangler().shownName(name)).not.toMatch(/^_|17h[0-9a-f]{16}/);
    }
  }
  expect(seen).toBeGreaterThan(0);
});
