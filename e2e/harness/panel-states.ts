import type { Page, Route } from "playwright-core";

/** How a panel is made empty: by a reply of the test, or by the server's own reply to another address. */
export type EmptyReply = { readonly json: object } | { readonly address: (url: string) => string };

type Mode = "hold" | "fail" | "empty" | "data";

/** A call of the page under the control of a test. */
export interface HeldCall {
  /** How the call is answered from now on, the waiting one included. */
  answer(mode: Exclude<Mode, "hold">): void;
}

interface HeldOptions {
  readonly empty: EmptyReply | undefined;
  readonly data: object | undefined;
}

/** The reply to a call that fails; a code that is not tried again. */
export const refusal = { error: "The test refuses this call.", code: "invalid", request_id: "test" };

/** Holds the replies to the calls whose address, without its origin, matches. */
export async function holdCall(page: Page, call: RegExp, { empty, data }: HeldOptions): Promise<HeldCall> {
  let mode: Mode = "hold";
  let waiting: (() => void)[] = [];

  async function handle(route: Route): Promise<void> {
    if (mode === "hold") await new Promise<void>((resolve) => waiting.push(resolve));
    if (mode === "fail") return route.fulfill({ status: 400, json: refusal });
    const json = mode === "data" ? data : empty && "json" in empty ? empty.json : undefined;
    if (json !== undefined) return route.fulfill({ json });
    const url = route.request().url();
    return route.continue(mode === "empty" && empty && "address" in empty ? { url: empty.address(url) } : {});
  }

  const matches = (url: URL) => call.test(url.pathname + url.search);
  // A page that is left cancels its calls, which then cannot be answered.
  await page.route(matches, (route) => handle(route).catch(() => {}));
  function answer(next: Exclude<Mode, "hold">): void {
    mode = next;
    for (const proceed of waiting) proceed();
    waiting = [];
  }
  return { answer };
}

/**
 * The address of a range in which nothing was sent.
 * @param prefix of the names of its parameters
 */
export function inThePast(url: string, prefix = ""): string {
  const address = new URL(url);
  address.searchParams.set(`${prefix}from`, "2020-01-01T00:00:00Z");
  address.searchParams.set(`${prefix}to`, "2020-01-02T00:00:00Z");
  return address.href;
}

/** An open alert about the CPU of checkout, as the server replies. */
export function alertReply(): object {
  const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();
  const alert = {
    id: "c4a7de01-58b3-4f96-a2d0-6e9b13f7c845",
    profile_id: "3f9a1c07be52d8e4460b7c91691e9f40",
    type: "cpu",
    profile_type: "cpu",
    sample_type: "cpu/nanoseconds",
    unit: "nanoseconds per second",
    service: "checkout",
    timestamp: ago(10),
    began_at: ago(25),
    status: "open",
    resolved_at: null,
    severity: "critical",
    previous_value: 410_900_000,
    current_value: 695_900_000,
    increase: 0.694,
    percent_change: 69.4,
    functions: [],
    previous_range: { from: ago(60), to: ago(40) },
    current_range: { from: ago(40), to: ago(10) },
    is_muted: false,
  };
  return { alerts: [alert], next_cursor: null, open_count: 1 };
}
