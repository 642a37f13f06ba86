import type { Page } from "playwright-core";

/** How a panel is made empty: by a reply of the test, or by the server's own reply to another address. */
export type EmptyReply = { readonly json: object } | { readonly address: (url: string) => string };

type Mode = "hold" | "fail" | "empty" | "data";

/** A call of the page under the control of a test, until it is disposed of. */
export interface HeldCall extends AsyncDisposable {
  /** How the call is answered from now on, the waiting one included. */
  answer(mode: Exclude<Mode, "hold">): void;
  /** From now on the call waits. */
  hold(): void;
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
  // Not with `page.route`: it turns the cache off, so that each page would load and compile all its scripts again.
  const devTools = await page.context().newCDPSession(page);

  async function handle({ requestId, request }: PausedRequest): Promise<unknown> {
    const { pathname, search } = new URL(request.url);
    if (!call.test(pathname + search)) return devTools.send("Fetch.continueRequest", { requestId });
    if (mode === "hold") await new Promise<void>((resolve) => waiting.push(resolve));
    if (mode === "fail") return devTools.send("Fetch.fulfillRequest", jsonReply(requestId, 400, refusal));
    const json = mode === "data" ? data : empty && "json" in empty ? empty.json : undefined;
    if (json !== undefined) return devTools.send("Fetch.fulfillRequest", jsonReply(requestId, 200, json));
    const url = mode === "empty" && empty && "address" in empty ? { url: empty.address(request.url) } : {};
    return devTools.send("Fetch.continueRequest", { requestId, ...url });
  }

  // A page that is left cancels its calls, which then cannot be answered.
  devTools.on("Fetch.requestPaused", (paused) => void handle(paused).catch(() => {}));
  await devTools.send("Fetch.enable", { patterns: [{ urlPattern: "*/api/*" }] });
  return {
    answer(next) {
      mode = next;
      for (const proceed of waiting) proceed();
      waiting = [];
    },
    hold() {
      mode = "hold";
    },
    [Symbol.asyncDispose]: () => devTools.detach(),
  };
}

interface PausedRequest {
  readonly requestId: string;
  readonly request: { readonly url: string };
}

function jsonReply(requestId: string, responseCode: number, json: object) {
  const responseHeaders = [{ name: "content-type", value: "application/json" }];
  const body = Buffer.from(JSON.stringify(json)).toString("base64");
  return { requestId, responseCode, responseHeaders, body };
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
export function alertReply(): {
  readonly alerts: readonly [Readonly<Record<string, unknown>>];
  readonly next_cursor: null;
  readonly open_count: number;
} {
  const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();
  const alert = {
    id: "c4a7de01-58b3-4f96-a2d0-6e9b13f7c845",
    incident_id: "c4a7de01-58b3-4f96-a2d0-6e9b13f7c845",
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

/** The incident of this alert, as the server replies with it in a list and alone. */
export function incidentReplies(alert = alertReply().alerts[0]) {
  const { id, service, timestamp, began_at, resolved_at, status, severity } = alert;
  const times = { timestamp, began_at, resolved_at };
  const incident = { id, service, ...times, status, severity, signals: [alert], comment_count: 1 };
  const comment = { id: "6a1c9d42-0f5b-4e77-8c3d-b24e9a7f1035", by: "Ada Lovelace", is_yours: true };
  return {
    list: { incidents: [incident], next_cursor: null },
    alone: { incident, comments: [{ ...comment, at: timestamp, text: "Rolled back" }] },
  };
}
