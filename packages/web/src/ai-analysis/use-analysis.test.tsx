// @vitest-environment happy-dom
import { type Analysis, getAnalysis } from "@flamekeep/contract";
import { act, cleanup, renderHook } from "@testing-library/react";
import { afterAll, afterEach, beforeEach, expect, it, vi } from "vitest";
import { pending } from "#testing/analyses.ts";
import { FakeServer, failWith, replyWith } from "#testing/fake-server.ts";
import { usePolling } from "./use-analysis.ts";

const minuteMs = 60_000;

let server: FakeServer;
let read: Analysis["status"][];
beforeEach(() => {
  vi.useFakeTimers();
  server = new FakeServer();
  read = [];
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});
afterAll(() => vi.unstubAllGlobals());

const reply = (status: Analysis["status"]) => replyWith(getAnalysis, { ...pending, status });
const poll = () => renderHook(() => usePolling(pending.id, ({ status }) => read.push(status)));
const calls = () => server.callsOf(getAnalysis).length;
const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));

it("reads every two seconds until the analysis has ended", async () => {
  const states = ["pending", "processing", "completed"] as const;
  server.on(getAnalysis, () => reply(states[read.length] ?? "failed"));
  poll();
  await pass(1999);
  expect(calls()).toBe(0);
  await pass(1);
  expect(calls()).toBe(1);
  await pass(minuteMs);
  expect(read).toEqual(states);
});

it("only logs errors and continues", async () => {
  const warned = vi.spyOn(console, "warn").mockImplementation(() => {});
  server.on(getAnalysis, () => (calls() < 3 ? failWith("unavailable", "Starting.") : reply("completed")));
  const { result } = poll();
  await pass(minuteMs);
  expect(warned).toHaveBeenCalledTimes(2);
  expect(read).toEqual(["completed"]);
  expect(result.current.isOver).toBe(false);
});

it("stops after five minutes, even if the server never answers, and can be restarted", async () => {
  server.on(getAnalysis, () => reply("processing"));
  const { result } = poll();
  await pass(4 * minuteMs);
  server.on(getAnalysis, () => new Promise(() => {}));
  await pass(minuteMs - 1);
  expect(result.current.isOver).toBe(false);
  await pass(1);
  expect(result.current.isOver).toBe(true);
  const asked = calls();
  await pass(10 * minuteMs);
  expect(calls()).toBe(asked);

  server.on(getAnalysis, () => reply("completed"));
  act(() => result.current.restart());
  await pass(2000);
  await vi.waitFor(() => expect(read.at(-1)).toBe("completed"));
});

it("ends with the page", async () => {
  server.on(getAnalysis, () => reply("processing"));
  poll().unmount();
  await pass(minuteMs);
  expect(calls()).toBe(0);
});
