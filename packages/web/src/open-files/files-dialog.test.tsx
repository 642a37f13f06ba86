// @vitest-environment happy-dom
import { type IngestedProfile, listServices, openProfileFile } from "@flamekeep/contract";
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  Outlet,
  RouterProvider,
} from "@tanstack/react-router";
import { act, cleanup, fireEvent, screen, within } from "@testing-library/react";
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { FakeServer, failWith, replyWith } from "#testing/fake-server.ts";
import { noServices } from "#testing/no-services.ts";
import { renderWithQueries } from "#testing/render.tsx";
import { signInAs } from "#testing/sign-in-as.ts";
import { chooseFiles, serviceOfFile } from "./chosen-files.ts";
import { FileDrop } from "./file-drop.tsx";
import { recognizedText } from "./use-opening.ts";

const profile: IngestedProfile = {
  profile_id: "3f9a1c07be52d8e4460b7c91691e9f40",
  service: "checkout",
  type: "cpu",
  started_at: "2026-11-20T10:00:00.000Z",
  sample_count: 12_402,
  duplicate: false,
  trimmed: {},
  ignored: [],
  recognized_as: "a speedscope file",
};

/** An XMLHttpRequest that reports its progress and then asks the fake server. */
class FakeUpload {
  readonly upload: { onprogress?: (event: { loaded: number; total: number }) => void } = {};
  readonly #headers: Record<string, string> = {};
  #request = { method: "", url: "" };
  status = 0;
  responseText = "";
  #retryAfter: string | null = null;
  onload?: () => void;
  onloadend?: () => void;

  open(method: string, url: string): void {
    this.#request = { method, url };
  }
  setRequestHeader(name: string, value: string): void {
    this.#headers[name] = value;
  }
  getResponseHeader(): string | null {
    return this.#retryAfter;
  }
  async send(file: File): Promise<void> {
    this.upload.onprogress?.({ loaded: file.size / 2, total: file.size });
    const { method, url } = this.#request;
    const response = await fetch(url, { method, headers: this.#headers });
    this.status = response.status;
    this.responseText = await response.text();
    this.#retryAfter = response.headers.get("Retry-After");
    this.onload?.();
    this.onloadend?.();
  }
}

let server: FakeServer;
beforeEach(() => {
  server = new FakeServer();
  vi.stubGlobal("XMLHttpRequest", FakeUpload);
  server.on(listServices, () => replyWith(listServices, noServices));
});
afterEach(() => {
  act(() => chooseFiles(undefined));
  cleanup();
  localStorage.clear();
  vi.restoreAllMocks();
});
afterAll(() => vi.unstubAllGlobals());

const fileNamed = (name: string) => new File(["main 1\n"], name);
const button = (name: string) => screen.findByRole("button", { name });

function show(path = "/dashboard") {
  const component = () => (
    <>
      <FileDrop />
      <Outlet />
    </>
  );
  const root = createRootRoute({ component });
  const pages = ["/dashboard", "/profile/$profileId", "/profiles/service/$service"].map((each) =>
    createRoute({ getParentRoute: () => root, path: each, component: () => <p>Page</p> }),
  );
  const history = createMemoryHistory({ initialEntries: [path] });
  const router = createRouter({ routeTree: root.addChildren(pages), history });
  renderWithQueries(<RouterProvider router={router as never} />);
  return history;
}

function drag(type: "dragenter" | "drop", files: readonly File[]): DragEvent {
  const event = new Event(type, { bubbles: true, cancelable: true });
  const items = files.map((file) => ({ getAsFile: () => file }));
  Object.assign(event, { dataTransfer: { types: ["Files"], items } });
  act(() => void window.dispatchEvent(event));
  return event as DragEvent;
}

describe("files that are dropped", () => {
  it("open their profile, with what the form says about them", async () => {
    signInAs("member");
    server.on(openProfileFile, () => replyWith(openProfileFile, profile));
    const history = show();
    await screen.findByText("Page");
    drag("dragenter", []);
    expect(screen.getByRole("status").textContent).toContain("Drop to open");
    drag("drop", [fileNamed("checkout.speedscope.json")]);
    const dialog = within(await screen.findByRole("dialog", { name: "Open a file" }));
    expect(dialog.getByLabelText<HTMLInputElement>("Service").value).toBe("checkout");
    fireEvent.change(dialog.getByLabelText("Environment"), { target: { value: "staging" } });
    fireEvent.change(dialog.getByLabelText("Tags"), { target: { value: "region" } });
    fireEvent.click(await button("Open"));
    expect(server.callsOf(openProfileFile)).toEqual([]);
    fireEvent.change(dialog.getByLabelText("Tags"), { target: { value: "region:eu, version=1.2" } });
    fireEvent.click(await button("Open"));
    await vi.waitFor(() => expect(history.location.pathname).toBe(`/profile/${profile.profile_id}`));
    expect(server.callsOf(openProfileFile).map(({ query }) => Object.fromEntries(query))).toEqual([
      {
        service: "checkout",
        file: "checkout.speedscope.json",
        "tag.file": "checkout.speedscope.json",
        "tag.env": "staging",
        "tag.region": "eu",
        "tag.version": "1.2",
      },
    ]);
    expect(screen.queryByRole("dialog")).toBeNull();
  });

  it("have a result each, and refused ones are tried again with other values", async () => {
    signInAs("admin");
    server.on(openProfileFile, ({ query }) =>
      query.get("file") === "a.pb.gz" || query.has("type")
        ? replyWith(openProfileFile, profile)
        : failWith("invalid", "type is required for this profile"),
    );
    const history = show("/profiles/service/payments");
    await screen.findByText("Page");
    drag("drop", [fileNamed("a.pb.gz"), fileNamed("b.pb.gz")]);
    const service = await screen.findByLabelText<HTMLInputElement>("Service");
    expect(service.value).toBe("payments");
    fireEvent.click(await button("Open"));
    await screen.findByText("1 file opened, 1 refused");
    expect(screen.getByRole("link", { name: "a.pb.gz" }).getAttribute("href")).toBe(
      `/profile/${profile.profile_id}`,
    );
    screen.getByText("Speedscope file, CPU, 12,402 samples");
    screen.getByText("type is required for this profile");
    fireEvent.click(await button("Change and Try Again"));
    fireEvent.click(await screen.findByLabelText("Type"));
    const option = await screen.findByRole("option", { name: "Mutex" });
    fireEvent.pointerDown(option);
    fireEvent.pointerUp(option);
    fireEvent.keyDown(option, { key: "Enter" });
    fireEvent.click(await button("Open"));
    await screen.findByText("2 files opened");
    expect(server.callsOf(openProfileFile).map(({ query }) => query.get("file"))).toEqual([
      "a.pb.gz",
      "b.pb.gz",
      "b.pb.gz",
    ]);
    expect(history.location.pathname).toBe("/profiles/service/payments");
  });

  it("are sent again when the server says so, and refused if that is far from now", async () => {
    signInAs("member");
    const delays = [1, 1000];
    server.on(openProfileFile, ({ query }) => {
      const seconds = query.get("file") === "a.pb.gz" ? delays.shift() : undefined;
      return seconds === undefined
        ? replyWith(openProfileFile, profile)
        : failWith("rate_limited", "The queue is full. Retry after the seconds in Retry-After.", seconds);
    });
    show("/profiles/service/payments");
    await screen.findByText("Page");
    drag("drop", [fileNamed("a.pb.gz"), fileNamed("b.pb.gz")]);
    fireEvent.click(await button("Open"));
    await screen.findByText(/^The queue is full\. Sent again at \d\d:\d\d:\d\d\.$/);
    screen.getByText(/^0 of 2 opened\. The next is sent at \d\d:\d\d:\d\d\.$/);
    expect(screen.getByLabelText("Service").closest("fieldset")?.disabled).toBe(true);
    await screen.findByText("1 file opened, 1 refused", {}, { timeout: 5000 });
    expect(server.callsOf(openProfileFile).map(({ query }) => query.get("file"))).toEqual([
      "a.pb.gz",
      "a.pb.gz",
      "b.pb.gz",
    ]);
  });

  it("are counted, and the list follows the one that is sent", async () => {
    signInAs("member");
    const followed: (string | null)[] = [];
    vi.spyOn(Element.prototype, "scrollIntoView").mockImplementation(function (this: Element) {
      followed.push(this.querySelector("[title]")?.textContent ?? null);
    });
    server.on(openProfileFile, async ({ query }) => {
      await vi.waitFor(() => expect(followed).toContain(query.get("file")));
      return replyWith(openProfileFile, profile);
    });
    show("/profiles/service/payments");
    await screen.findByText("Page");
    drag("drop", [fileNamed("a.pb.gz"), fileNamed("b.pb.gz")]);
    await screen.findByText("14 B in all");
    fireEvent.click(await button("Open"));
    await screen.findByText("2 files opened");
    expect(followed).toEqual(["a.pb.gz", "b.pb.gz"]);
  });

  it("are shown without marks that turn their names around, with an icon each", async () => {
    signInAs("member");
    show("/profiles/service/payments");
    await screen.findByText("Page");
    drag("drop", [fileNamed("x\u202egnp.exe"), fileNamed("b.pb.gz")]);
    await screen.findByText("x\ufffdgnp.exe");
    const rows = within(screen.getByRole("list", { name: "Files" })).getAllByRole("listitem");
    expect(rows.map((row) => row.querySelectorAll("svg").length)).toEqual([1, 1]);
  });

  it("are not taken from viewers, and the browser does not open them instead", async () => {
    signInAs("viewer");
    show();
    await screen.findByText("Page");
    drag("dragenter", []);
    expect(screen.getByRole("status").textContent).toContain("Viewers cannot add profiles");
    expect(drag("drop", [fileNamed("a.pb.gz")]).defaultPrevented).toBe(true);
    expect(screen.queryByRole("dialog")).toBeNull();
  });
});

it.each([
  ["pprof.checkout.samples.cpu.001.pb.gz", "checkout"],
  ["my service (1).folded.gz", "my-service-1"],
  ["api.speedscope.json", "api"],
  ["日本.pb", ""],
])("the file %s suggests the service '%s'", (file, service) => {
  expect(serviceOfFile(file)).toBe(service);
});

it("names all types of a file, and that it was stored before", () => {
  const also_listed = [{ type: "memory" as const, profile_id: "8d2f6a917be52d8e4460b7c9691f2f00" }];
  expect(recognizedText({ ...profile, sample_count: 1, also_listed, duplicate: true })).toBe(
    "Speedscope file, CPU and memory, 1 sample, stored before",
  );
});
