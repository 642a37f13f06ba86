// @vitest-environment happy-dom
import { afterEach, expect, it } from "vitest";
import { savedPageSize, savePageSize } from "./page-size.ts";
import { storageKeys, writeStored } from "./storage.ts";

afterEach(() => localStorage.clear());

it("the page size is 10, then the one that was chosen last", () => {
  expect(savedPageSize()).toBe(10);
  savePageSize(25);
  expect(savedPageSize()).toBe(25);
});

it("a saved page size that is not offered is ignored", () => {
  writeStored(storageKeys.pageSize, "7");
  expect(savedPageSize()).toBe(10);
});
