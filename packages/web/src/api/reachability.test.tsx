// @vitest-environment happy-dom
import { publicConfig } from "@flamekeep/contract";
import { act, cleanup, renderHook } from "@testing-library/react";
import { afterAll, afterEach, expect, it, vi } from "vitest";
import { FakeServer, failWith, replyWith } from "#testing/fake-server.ts";
import { call } from "./call.ts";
import { useIsServerReachable } from "./reachability.ts";

afterEach(cleanup);
afterAll(() => vi.unstubAllGlobals());

it("turns with the first request without a response, and back with the first response, even a failure", async () => {
  const server = new FakeServer();
  const { result } = renderHook(() => useIsServerReachable());
  const ask = () => act(() => call(publicConfig).catch(() => undefined));
  expect(result.current).toBe(true);
  await ask();
  expect(result.current).toBe(false);
  server.on(publicConfig, () => failWith("internal", "broken"));
  await ask();
  expect(result.current).toBe(true);
  server.on(publicConfig, () =>
    replyWith(publicConfig, {
      demo: true,
      mail: true,
      sign_up: "open",
      single_sign_on: null,
      open_files: null,
    }),
  );
  await ask();
  expect(result.current).toBe(true);
});

it("does not count a call that the app cancelled", async () => {
  new FakeServer();
  const { result } = renderHook(() => useIsServerReachable());
  const signal = AbortSignal.abort();
  await act(() => call(publicConfig, { signal }).catch(() => undefined));
  expect(result.current).toBe(true);
});
