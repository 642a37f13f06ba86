// @vitest-environment happy-dom
import type { Profile } from "@flamekeep/contract";
import { act, renderHook } from "@testing-library/react";
import { expect, it } from "vitest";
import { comparisonOf, usePicked } from "./use-picked.ts";

const profile = (id: string, type: Profile["type"] = "cpu", timestamp = "2026-11-20T10:00:00.000Z") =>
  ({ profile_id: id, type, timestamp }) as Profile;

it("picks two profiles of one type, and a third instead of the second", () => {
  const { result } = renderHook(() => usePicked());
  const toggle = (each: Profile) => act(() => result.current.toggle(each));
  const ids = () => result.current.picked.map(({ profile_id }) => profile_id);
  expect([result.current.mayPick(profile("m", "metrics")), result.current.mayPick(profile("a"))]).toEqual([
    false,
    true,
  ]);
  toggle(profile("a"));
  expect([result.current.mayPick(profile("h", "memory")), result.current.mayPick(profile("b"))]).toEqual([
    false,
    true,
  ]);
  toggle(profile("b"));
  expect(ids()).toEqual(["a", "b"]);
  toggle(profile("c"));
  expect(ids()).toEqual(["a", "c"]);
  toggle(profile("a"));
  expect(ids()).toEqual(["c"]);
  act(() => result.current.clear());
  expect(ids()).toEqual([]);
});

it("compares the older one with the newer one", () => {
  const newer = profile("n", "cpu", "2026-11-20T11:00:00.000Z");
  const search = { before_profile: "o", after_profile: "n" };
  expect(comparisonOf([newer, profile("o")]).search).toEqual(search);
  expect(comparisonOf([profile("o"), newer]).search).toEqual(search);
});
