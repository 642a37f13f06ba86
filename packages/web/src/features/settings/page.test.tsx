// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import { readStored, storageKeys } from "#preferences/storage.ts";
import { Preferences } from "./page.tsx";

afterEach(() => {
  cleanup();
  localStorage.clear();
});

const radio = (name: RegExp) => screen.getByRole<HTMLInputElement>("radio", { name });

it("the theme is applied and stored at once, and the system's is the default", () => {
  render(<Preferences />);
  expect(radio(/^System/).checked).toBe(true);
  fireEvent.click(radio(/^Dark/));
  expect([radio(/^Dark/).checked, radio(/^System/).checked]).toEqual([true, false]);
  expect(document.documentElement.dataset.theme).toBe("dark");
  expect(readStored(storageKeys.theme)).toBe("dark");
  fireEvent.click(radio(/^System/));
  expect(readStored(storageKeys.theme)).toBeNull();
});

it("the time zone is the one that the control of the time range switches", () => {
  render(<Preferences />);
  expect(radio(/^Local/).checked).toBe(true);
  fireEvent.click(radio(/^UTC/));
  expect(radio(/^UTC/).checked).toBe(true);
  expect(readStored(storageKeys.timeZone)).toBe("utc");
});
