import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compared, stacksFrom } from "../testing/index.ts";
import { buildCallTree } from "../tree/build-call-tree.ts";
import type { CallTree } from "../tree/call-tree.ts";
import { functionTotals } from "../tree/function-totals.ts";
import { pruneTree } from "../tree/prune.ts";
import { sandwichTree, transformTree } from "./apply.ts";
import { chainOf } from "./chain.ts";

interface Stack {
  /** Root first. */
  readonly frames: readonly string[];
  readonly value: number;
}

const names = ["main.a", "main.b", "app/x.c", "app/y.d", "runtime.mallocgc", "net/http.(*conn).serve"];
/** One line for each function: frames whose lines differ have none, which stacks know and a tree does not. */
const frame = fc
  .constantFrom(...names)
  .map((name) => `${name}@/src/${name.split(".")[0]}/f.go:${name.length}`);
const value = fc.oneof(
  { weight: 9, arbitrary: fc.integer({ min: 1, max: 1000 }) },
  { weight: 1, arbitrary: fc.integer({ min: -50, max: -1 }) },
);
const stacks = fc.array(fc.record({ frames: fc.array(frame, { minLength: 1, maxLength: 8 }), value }), {
  maxLength: 20,
});
const positive = fc.array(
  fc.record({
    frames: fc.array(frame, { minLength: 1, maxLength: 8 }),
    value: fc.integer({ min: 1, max: 1000 }),
  }),
  { maxLength: 20 },
);

const nameOf = (text: string) => text.replace(/@.*/u, "");
const isIn = (stack: Stack, name: string) => stack.frames.some((each) => nameOf(each) === name);
const withFrames = (stack: Stack, keep: (name: string) => boolean): Stack => ({
  ...stack,
  frames: stack.frames.filter((each) => keep(nameOf(each))),
});

/** Each transform on stacks, without trees. */
const onStacks: Readonly<Record<string, (stacks: readonly Stack[]) => readonly Stack[]>> = {
  "focus:main.b": (all) => all.filter((stack) => isIn(stack, "main.b")),
  "focus-package:main": (all) => all.filter((stack) => isIn(stack, "main.a") || isIn(stack, "main.b")),
  "ignore:main.b": (all) => all.filter((stack) => !isIn(stack, "main.b")),
  "hide:main.b": (all) => all.map((stack) => withFrames(stack, (name) => name !== "main.b")),
  "hide-module:app": (all) => all.map((stack) => withFrames(stack, (name) => !name.startsWith("app/"))),
  "hide-search:/c$|D$/": (all) => all.map((stack) => withFrames(stack, (name) => !/[cd]$/u.test(name))),
  "show:main.b": (all) => all.map((stack) => withFrames(stack, (name) => name === "main.b")),
  "hide-runtime": (all) => all.map((stack) => withFrames(stack, (name) => !name.startsWith("runtime."))),
  "my-code": (all) => all.map((stack) => withFrames(stack, (name) => /^(main|app)/u.test(name))),
  collapse: (all) =>
    all.map((stack) => ({
      ...stack,
      frames: stack.frames.filter((each, at) => at === 0 || nameOf(stack.frames[at - 1]!) !== nameOf(each)),
    })),
  "collapse:main.a": (all) =>
    all.map((stack) => {
      const isA = (each: string) => nameOf(each) === "main.a";
      const [first, last] = [stack.frames.findIndex(isA), stack.frames.findLastIndex(isA)];
      return { ...stack, frames: stack.frames.filter((_, at) => at <= first || at > last) };
    }),
  invert: (all) => all.map((stack) => ({ ...stack, frames: stack.frames.toReversed() })),
};
const chains = Object.keys(onStacks);

const treeOf = (all: readonly Stack[]) => buildCallTree(stacksFrom(all), 0);
const sum = (all: readonly Stack[]) => all.reduce((total, stack) => total + stack.value, 0);

/** The columns, with names instead of ids, which depend on the table. */
function shapeOf(tree: CallTree) {
  const { firstChild, line, self, total, width, x, levelStart, parent, samples } = tree;
  const functions = Array.from(tree.fn, (fn) => tree.functions.name[fn]);
  return { functions, firstChild, line, self, total, width, x, levelStart, parent, samples };
}

describe("a transform of a tree", () => {
  it.each(chains)("%s is the tree of the transformed stacks", (text) => {
    let frames = 0;
    fc.assert(
      fc.property(stacks, (all) => {
        const tree = transformTree(treeOf(all), chainOf(text));
        expect(shapeOf(tree)).toEqual(shapeOf(treeOf(onStacks[text]!(all))));
        expect(tree.total[0]).toBe(sum(onStacks[text]!(all)));
        frames += tree.length - 1;
      }),
    );
    expect(frames).toBeGreaterThan(100);
  });

  it("follows those before it", () => {
    let frames = 0;
    fc.assert(
      fc.property(stacks, fc.array(fc.constantFrom(...chains), { maxLength: 4 }), (all, steps) => {
        const tree = transformTree(treeOf(all), chainOf(steps.join(";")));
        const expected = steps.reduce((left, step) => onStacks[step]!(left), all as readonly Stack[]);
        expect(shapeOf(tree)).toEqual(shapeOf(treeOf(expected)));
        frames += tree.length - 1;
      }),
    );
    expect(frames).toBeGreaterThan(100);
  });

  it.each(chains.filter((text) => text !== "invert"))("%s changes nothing the second time", (text) => {
    let changed = 0;
    fc.assert(
      fc.property(stacks, (all) => {
        const source = treeOf(all);
        const once = transformTree(source, chainOf(text));
        expect(shapeOf(transformTree(once, chainOf(text)))).toEqual(shapeOf(once));
        if (once !== source) changed++;
      }),
    );
    expect(changed).toBeGreaterThan(10);
  });

  it("is undone by a second inversion", () => {
    fc.assert(
      fc.property(stacks, (all) => {
        const tree = treeOf(all);
        expect(shapeOf(transformTree(tree, chainOf("invert;invert")))).toEqual(shapeOf(tree));
      }),
    );
  });

  it("does not depend on the order where the steps are of one kind", () => {
    const pairs = [
      ["hide:main.a", "hide:main.b"],
      ["focus:main.a", "focus:main.b"],
      ["ignore:main.a", "ignore:main.b"],
      ["focus:main.a", "ignore:main.b"],
      ["invert", "hide-runtime"],
      ["invert", "collapse"],
    ];
    fc.assert(
      fc.property(stacks, fc.constantFrom(...pairs), (all, [first, second]) => {
        const tree = treeOf(all);
        const shapes = [`${first};${second}`, `${second};${first}`].map((text) =>
          shapeOf(transformTree(tree, chainOf(text))),
        );
        // The lines of frames that an inversion brings together may have been 0 before.
        const [a, b] = shapes.map(({ line: _, ...shape }) => shape);
        expect(a).toEqual(b);
      }),
    );
  });

  it("keeps every total and every function's values when it collapses direct recursion", () => {
    fc.assert(
      fc.property(stacks, (all) => {
        const tree = treeOf(all);
        const [before, after] = [tree, transformTree(tree, chainOf("collapse"))].map((each) =>
          functionTotals(each),
        );
        expect([after!.self, after!.total]).toEqual([before!.self, before!.total]);
      }),
    );
  });

  it("keeps the parts of a split: the stacks with a function and those without are all", () => {
    fc.assert(
      fc.property(stacks, (all) => {
        const tree = treeOf(all);
        const [kept, left] = ["focus:main.a", "ignore:main.a"].map((text) =>
          transformTree(tree, chainOf(text)),
        );
        expect(kept!.total[0]! + left!.total[0]!).toBe(tree.total[0]);
      }),
    );
  });

  it("leaves a tree as it is where no frame is concerned", () => {
    const tree = treeOf([{ frames: ["main.a", "main.b"], value: 3 }]);
    for (const text of [
      "hide:app/x.c",
      "ignore:app/x.c",
      "collapse",
      "hide-runtime",
      "my-code",
      "focus:main.a",
    ])
      expect(transformTree(tree, chainOf(text))).toBe(tree);
  });
});

describe("a sandwich", () => {
  it("has the stacks below the outermost place of a function, and those above it the other way round", () => {
    let frames = 0;
    fc.assert(
      fc.property(stacks, (all) => {
        const { callers, callees } = sandwichTree(treeOf(all), { by: "function", text: "main.a" });
        const isA = (each: string) => nameOf(each) === "main.a";
        const through = all.filter((stack) => isIn(stack, "main.a"));
        const below = through.map((stack) => ({
          ...stack,
          frames: stack.frames.slice(stack.frames.findIndex(isA)),
        }));
        const above = through.map((stack) => ({
          ...stack,
          frames: stack.frames.slice(0, stack.frames.findIndex(isA) + 1).toReversed(),
        }));
        expect(shapeOf(callees)).toEqual(shapeOf(treeOf(below)));
        // Widths are those of the places, in which negative values may have been added up.
        if (all.every((stack) => stack.value > 0)) expect(shapeOf(callers)).toEqual(shapeOf(treeOf(above)));
        expect(callers.total[0]).toBe(sum(through));
        frames += callees.length + callers.length - 2;
      }),
    );
    expect(frames).toBeGreaterThan(100);
  });

  it("counts recursion once: both sides have the total of the function", () => {
    let recursive = 0;
    fc.assert(
      fc.property(positive, (all) => {
        const tree = treeOf(all);
        const id = tree.functions.name.indexOf("main.a");
        fc.pre(id !== -1);
        const total = functionTotals(tree).total[id];
        const { callers, callees } = sandwichTree(tree, { by: "function", text: "main.a" });
        expect([callers.total[1], callees.total[1], callers.total[0]]).toEqual([total, total, total]);
        if (functionTotals(callees, 1).frames[id]! > 1) recursive++;
      }),
    );
    expect(recursive).toBeGreaterThan(10);
  });
});

describe("a transform of a comparison", () => {
  it.each(chains)("%s has each side's values as that side's own tree has them", (text) => {
    fc.assert(
      fc.property(positive, positive, (a, b) => {
        const comparison = transformTree(compared(stacksFrom(a), stacksFrom(b)), chainOf(text));
        for (const [side, all] of [a, b].entries()) {
          const totals = functionTotals(transformTree(treeOf(all), chainOf(text)));
          const found = functionTotals(comparison, 0, side);
          const own = transformTree(treeOf(all), chainOf(text));
          for (let fn = 0; fn < own.functions.length; fn++) {
            const id = comparison.functions.name.indexOf(own.functions.name[fn]!);
            expect([found.self[id], found.total[id]]).toEqual([totals.self[fn], totals.total[fn]]);
          }
        }
      }),
    );
  });

  it("has both sides in a sandwich", () => {
    fc.assert(
      fc.property(positive, positive, (a, b) => {
        const target = { by: "function", text: "main.a" } as const;
        const both = sandwichTree(compared(stacksFrom(a), stacksFrom(b)), target);
        for (const half of [both.callers, both.callees]) {
          expect(half.columns[0].total[0]).toBe(sum(a.filter((stack) => isIn(stack, "main.a"))));
          expect(half.columns[1].total[0]).toBe(sum(b.filter((stack) => isIn(stack, "main.a"))));
        }
      }),
    );
  });
});

describe("frames that the server left out", () => {
  it("stay in the total of every transform that removes no stacks", () => {
    let elided = 0;
    fc.assert(
      fc.property(
        positive,
        fc.constantFrom("hide:main.a", "show:main.b", "collapse", "collapse:main.a", "invert"),
        (all, text) => {
          const whole = treeOf(all);
          const tree = pruneTree(whole, { maxNodes: Math.max(1, whole.length >> 1) });
          const result = transformTree(tree, chainOf(text));
          expect(result.total[0]).toBe(whole.total[0]);
          expect(result.elisions.total.reduce((left, each) => left + each, 0)).toBe(
            tree.elisions.total.reduce((left, each) => left + each, 0),
          );
          elided += tree.elisions.length;
        },
      ),
    );
    expect(elided).toBeGreaterThan(50);
  });
});
