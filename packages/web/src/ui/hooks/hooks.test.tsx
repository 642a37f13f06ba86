// @vitest-environment happy-dom
import { act, cleanup, renderHook } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { useDebounced, useSearchText } from "./search-text.ts";
import { useLastError } from "./use-last-error.ts";
import { useNow } from "./use-now.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

describe("useDebounced", () => {
  it("returns a value once it has not changed for the delay", () => {
    const { result, rerender } = renderHook(({ text }) => useDebounced(text, 300), {
      initialProps: { text: "" },
    });
    rerender({ text: "p" });
    act(() => vi.advanceTimersByTime(299));
    rerender({ text: "pa" });
    act(() => vi.advanceTimersByTime(299));
    expect(result.current).toBe("");
    act(() => vi.advanceTimersByTime(1));
    expect(result.current).toBe("pa");
  });
});

describe("useSearchText", () => {
  it("writes trimmed text, keeps what is typed, and follows other changes of the address", () => {
    const written: (string | undefined)[] = [];
    const { result, rerender } = renderHook(
      ({ address }) => useSearchText(address, (text) => written.push(text)),
      { initialProps: { address: "" } },
    );
    act(() => result.current[1]("pay "));
    expect([result.current[0], written]).toEqual(["pay ", ["pay"]]);
    rerender({ address: "pay" });
    expect(result.current[0]).toBe("pay ");
    rerender({ address: "region:eu" });
    expect(result.current[0]).toBe("region:eu");
    act(() => result.current[1](" "));
    expect(written.at(-1)).toBeUndefined();
  });
});

describe("useLastError", () => {
  it("keeps the error while a query without data tries again, until it succeeds", () => {
    const away = new Error("The server cannot be reached");
    const { result, rerender } = renderHook((query) => useLastError(query), {
      initialProps: { data: undefined as unknown, error: away as Error | null },
    });
    expect(result.current).toBe(away);
    rerender({ data: undefined, error: null });
    expect(result.current).toBe(away);
    rerender({ data: [], error: null });
    expect(result.current).toBeNull();
    rerender({ data: [], error: away });
    expect(result.current).toBeNull();
  });
});

describe("useNow", () => {
  it("advances every five seconds with one timer for all users, which ends with the last of them", () => {
    const first = renderHook(() => useNow());
    const second = renderHook(() => useNow());
    act(() => vi.advanceTimersByTime(5_000));
    const before = first.result.current;
    act(() => vi.advanceTimersByTime(5_000));
    expect(first.result.current - before).toBe(5_000);
    expect(second.result.current).toBe(first.result.current);
    expect(vi.getTimerCount()).toBe(1);
    first.unmount();
    second.unmount();
    expect(vi.getTimerCount()).toBe(0);
  });
});
