import type { LimitsInUse } from "@flamekeep/contract";
import { expect, it } from "vitest";
import { changeOf, draftOf, draftProblems, editableLimits, shortenedDays } from "./limit-draft.ts";

const GB = 2 ** 30;
const limits: LimitsInUse = {
  stored_bytes: { value: 1.5 * GB, used: GB, source: "operator" },
  uploads_per_minute: { value: 1_200_000, used: 5, source: "server" },
  services: { value: 10, used: 2, source: "file" },
  retention_days: { value: 30, used: 14, source: "server" },
  analyses_per_day: { value: 200, used: 0, source: "operator" },
};
const draft = draftOf(limits);

it("has an empty text for each default of the server, and bytes in GB", () => {
  expect(draft).toMatchObject({ stored_bytes: "1.5", uploads_per_minute: "", services: "10" });
});

it("sends the changed limits only", () => {
  expect(changeOf(draft, limits)).toBeUndefined();
  expect(changeOf({ ...draft, stored_bytes: " 2 ", analyses_per_day: "" }, limits)).toEqual({
    stored_bytes: 2 * GB,
    analyses_per_day: null,
  });
});

it("keeps bytes that are no whole number of GB", () => {
  const odd = { ...limits, stored_bytes: { value: 123_456_789_012, used: 0, source: "operator" as const } };
  const text = draftOf(odd).stored_bytes;
  expect(draftProblems(draftOf(odd), 30)).toEqual([]);
  const few = { ...limits, stored_bytes: { value: 1000, used: 0, source: "operator" as const } };
  expect(draftOf(few).stored_bytes).toBe("0.0000009313");
  expect(changeOf({ ...draftOf(odd), stored_bytes: `${text}0` }, odd)).toEqual({
    stored_bytes: 123_456_789_012,
  });
});

it.each([
  ["stored_bytes", "-1"],
  ["stored_bytes", "NaN"],
  ["stored_bytes", "1e300"],
  ["stored_bytes", "9999999999999999"],
  ["services", "1.5"],
  ["services", "1000001"],
  ["retention_days", "0"],
  ["retention_days", "31"],
] as const)("refuses %s of %s", (name, text) => {
  expect(draftProblems({ ...draft, [name]: text }, 30)).toMatchObject([{ field: name }]);
});

it("knows that fewer days remove data", () => {
  const daysOf = (retention_days: string) => shortenedDays({ ...draft, retention_days }, limits);
  expect([daysOf("13"), daysOf("14"), daysOf(""), daysOf("x"), daysOf("0")]).toEqual([
    13,
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
});

it("cannot change limits of the file, and of the demo its analyses only", () => {
  expect(editableLimits(limits, false)).not.toContain("services");
  expect(editableLimits(limits, true)).toEqual(["analyses_per_day"]);
});
