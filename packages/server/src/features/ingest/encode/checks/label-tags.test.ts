import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { writeProfile } from "@flamekeep/profile";
import { expect, test } from "vitest";
import { labelled } from "#testing/labelled-profile.ts";
import { isIdentifier, withLabelTags } from "./tags.ts";

const file = new URL("../../testing/recorded/pyroscope-io-0.8.16.json", import.meta.url);
const raw = gunzipSync(Buffer.from(JSON.parse(readFileSync(file, "utf8")).body, "base64"));

test("labels of all samples are tags; a given tag takes precedence", () => {
  expect(withLabelTags([], raw)).toEqual([
    ["version", "1.2.3"],
    ["region", "eu"],
  ]);
  expect(withLabelTags([["region", "us"]], raw)).toEqual([
    ["region", "us"],
    ["version", "1.2.3"],
  ]);
});

test("labels take no tag's room, and identifiers are none", () => {
  const many = Array.from({ length: 31 }, (_, at): [string, string] => [`t${at}`, "x"]);
  expect(withLabelTags(many, raw).length).toBe(32);
  const threads = Buffer.from(
    raw.toString("latin1").replace("version", "spanid_").replace("region", "pid_xx"),
    "latin1",
  );
  expect(withLabelTags([], threads).length).toBe(2);
});

test("only ids are identifiers: names of threads and endpoints are values that people look for", () => {
  const ids = [
    "span id",
    "trace_id",
    "request.id",
    "requestId",
    "local root span id",
    "thread id",
    "os thread id",
    "native thread id",
    "thread native id",
    "PID",
  ];
  expect(ids.filter((name) => !isIdentifier(name))).toEqual([]);
  const names = [
    "trace endpoint",
    "thread_name",
    "thread name",
    "process_name",
    "tenant_id",
    "id",
    "android",
  ];
  expect(names.filter(isIdentifier)).toEqual([]);
});

test("the name and the ids of a single thread are labels, not tags of the profile", () => {
  const ofOne = { "thread name": "main", "os thread id": "7", "os thread name": "main" };
  const labels = { ...ofOne, "trace endpoint": "GET /", region: "eu" };
  expect(withLabelTags([], writeProfile(labelled([labels, labels, labels])))).toEqual([["region", "eu"]]);
});
