import { Bell } from "lucide-react";
import { expect, it } from "vitest";
import { type Entry, findEntries, functionLabels, functionTextOf, idPrefixOf } from "./entries.ts";

function entry(group: Entry["group"], label: string, keywords = ""): Entry {
  return { id: `${group}-${label}`, group, label, keywords, icon: Bell, run: () => {} };
}

const entries = [
  entry("Actions", "Dark theme"),
  entry("Services", "recheckout"),
  entry("Services", "checkout"),
  entry("Services", "gateway"),
  entry("Pages", "Settings", "application preferences"),
];
const labelsOf = (query: string) => findEntries(entries, query).map(({ label }) => label);

it("lists everything by group without a query", () => {
  expect(labelsOf("  ")).toEqual(["Settings", "recheckout", "checkout", "gateway", "Dark theme"]);
});

it("finds entries that contain every word, those that start with it first", () => {
  expect(labelsOf("check")).toEqual(["checkout", "recheckout"]);
  expect(labelsOf("THEME dark")).toEqual(["Dark theme"]);
  expect(labelsOf("check dark")).toEqual([]);
});

it("finds entries by their keywords", () => expect(labelsOf("preferences")).toEqual(["Settings"]));

it("labels functions of two packages by their whole names where they would read the same", () => {
  const lock = (name: string) => ({ name, ref: `${name} (mutex.go)` });
  const names = ["sync.(*Mutex).Lock", "internal/sync.(*Mutex).Lock", "internal/sync.(*Mutex).Lock"];
  expect(functionLabels([...names, "a/json.Encode"].map(lock))).toEqual([
    "sync.(*Mutex).Lock (mutex.go)",
    "internal/sync.(*Mutex).Lock (mutex.go)",
    "internal/sync.(*Mutex).Lock (mutex.go)",
    "json.Encode (mutex.go)",
  ]);
});

it("limits each group", () => {
  const many = Array.from({ length: 1000 }, (_, at) => entry("Services", `service-${at}`));
  expect(findEntries(many, "service").length).toBe(8);
});

it("recognizes the start of a profile's id", () => {
  expect([" 3F2A ", "3f2", "cafe", "checkout", "0".repeat(33)].map(idPrefixOf)).toEqual([
    "3f2a",
    undefined,
    "cafe",
    undefined,
    undefined,
  ]);
});

it("searches functions by the longest word of three letters and more", () => {
  expect(["go", " Hash num ", "json.Decode", ""].map(functionTextOf)).toEqual([
    undefined,
    "hash",
    "json.decode",
    undefined,
  ]);
});
