import { expect, it } from "vitest";
import { keysText, shortcutGroups, shortcutOf, shortcuts, shortcutsOf } from "./shortcuts.ts";

const plain = { ctrlKey: false, metaKey: false, altKey: false };

it("finds the shortcut of a key press, in either case and with either modifier key", () => {
  expect(shortcutOf({ ...plain, key: "N" })).toBe("nextMatch");
  expect(shortcutOf({ ...plain, key: "k", ctrlKey: true })).toBe("palette");
  expect(shortcutOf({ ...plain, key: "K", metaKey: true })).toBe("palette");
});

it("the flame graph has the keys of the specification", () => {
  const does = ["/", "Escape", "R", "E", "L"].map((key) => shortcutOf({ ...plain, key }));
  expect(does).toEqual(["find", "reset", "refresh", "saveSvg", "legend"]);
});

it("leaves the browser's own combinations alone", () => {
  expect(shortcutOf({ ...plain, key: "k" })).toBeUndefined();
  expect(shortcutOf({ ...plain, key: "r", ctrlKey: true })).toBeUndefined();
  expect(shortcutOf({ ...plain, key: "n", altKey: true })).toBeUndefined();
});

it("has each key once, and each shortcut in a group of the overview", () => {
  const keys = Object.values(shortcuts).flatMap((shortcut) => ("key" in shortcut ? [shortcut.key] : []));
  expect(keys.length).toBeGreaterThan(5);
  expect(new Set(keys).size).toBe(keys.length);
  const listed = shortcutGroups.flatMap((group) => shortcutsOf(group));
  expect(listed.length).toBe(Object.keys(shortcuts).length);
});

it("names the modifier key of the system", () => {
  expect([keysText("Mod K", "MacIntel"), keysText("Mod K", "Linux x86_64")]).toEqual(["⌘ K", "Ctrl K"]);
});
