// @vitest-environment happy-dom
import { expect, it } from "vitest";
import { pageAddress } from "./page-address.ts";
import { rangeOfSearch } from "./view-range.ts";

const nowMs = Date.parse("2026-11-20T12:07:30Z");
const page = "https://flamekeep.example.com/profiles/service/checkout/cpu";
const hour = { kind: "last", span: "1h" } as const;

it("of a range up to now is fixed to the whole minutes that are on screen", () => {
  const address = pageAddress(`${page}?range=1h&find=json#flame`, hour, nowMs);
  const { searchParams, hash } = new URL(address.fixed);
  expect(Object.fromEntries(searchParams)).toEqual({
    find: "json",
    from: "2026-11-20T11:07:00Z",
    to: "2026-11-20T12:08:00Z",
  });
  expect(hash).toBe("#flame");
  expect(rangeOfSearch(Object.fromEntries(searchParams))).toEqual(address.moving?.fixedRange);
});

it("can also keep moving", () => {
  expect(pageAddress(`${page}?range=1h`, hour, nowMs).moving).toMatchObject({
    href: `${page}?range=1h`,
    span: "1h",
  });
});

it("names the range where it was the person's own choice", () => {
  const address = pageAddress(page, hour, nowMs);
  expect(new URL(address.fixed).searchParams.get("from")).toBe("2026-11-20T11:07:00Z");
  expect(address.moving?.href).toBe(`${page}?range=1h`);
});

it("of a range between two moments stays as it is", () => {
  const [from, to] = ["2026-11-20T10:00:00Z", "2026-11-20T12:00:00Z"];
  const range = { kind: "between", fromMs: Date.parse(from), toMs: Date.parse(to) } as const;
  const address = pageAddress(`${page}?from=${from}&to=${to}`, range, nowMs);
  expect(address.moving).toBeUndefined();
  expect(Object.fromEntries(new URL(address.fixed).searchParams)).toEqual({ from, to });
});

it("of a page without a range is the one in the browser", () => {
  const href = "https://flamekeep.example.com/profile/3f9a?q=json%20decode";
  expect(pageAddress(href, undefined, nowMs)).toEqual({ fixed: href });
});
