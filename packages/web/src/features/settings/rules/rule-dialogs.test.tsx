// @vitest-environment happy-dom
import {
  type AlertRule,
  createAlertRule,
  listServices,
  previewAlertRule,
  removeAlertRule,
  serviceSeries,
  updateAlertRule,
} from "@flamekeep/contract";
import { cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import { afterAll, afterEach, expect, it, vi } from "vitest";
import { FakeServer, failWith, replyWith } from "#testing/fake-server.ts";
import { noServices } from "#testing/no-services.ts";
import { renderWithQueries } from "#testing/render.tsx";
import { RuleDialog } from "./rule-dialog.tsx";
import { RemoveRuleDialog } from "./rules.tsx";

afterEach(cleanup);
afterAll(() => vi.unstubAllGlobals());

const at = "2026-11-20T10:00:00.000Z";
const rule: AlertRule = {
  id: "7d1f4c52-0c0b-4a3e-9d0c-9b8f5f0a6c21",
  name: "Heap too large",
  service: "checkout",
  signal: "profile",
  profile_type: "memory",
  sample_type: "inuse_space/bytes",
  route: null,
  tags: {},
  comparison: "above",
  threshold: 2 ** 31,
  minutes: 10,
  severity: "warning",
  is_enabled: false,
  unit: "bytes",
  is_firing: true,
  created_by: null,
  created_at: at,
};

/** Without values, so that no chart is drawn. */
const preview = {
  unit: "bytes",
  from: at,
  to: at,
  bucket_seconds: 600,
  values: [],
  minutes_with_values: 0,
  alerts: [],
  alerts_total: 0,
};

function newServer(): FakeServer {
  const server = new FakeServer();
  server.on(listServices, () => replyWith(listServices, noServices));
  server.on(serviceSeries, () => failWith("unavailable", "not now"));
  server.on(previewAlertRule, () => replyWith(previewAlertRule, preview));
  return server;
}

it("a rule is created from words, once its fields make sense, and its values are previewed before", async () => {
  const closed = Promise.withResolvers<void>();
  const server = newServer();
  server.on(createAlertRule, () => replyWith(createAlertRule, { rule }));
  renderWithQueries(<RuleDialog fields={{}} onClose={closed.resolve} />);
  fireEvent.click(await screen.findByRole("button", { name: "Create rule" }));
  expect((await screen.findByRole("alert")).textContent).toBe(
    "Enter a serviceEnter the threshold as a number",
  );
  expect(document.activeElement).toBe(screen.getByLabelText("Service"));
  fireEvent.change(screen.getByLabelText("Service"), { target: { value: " checkout " } });
  fireEvent.change(screen.getByLabelText("Threshold"), { target: { value: "1.5" } });
  fireEvent.change(screen.getByLabelText("Period (minutes)"), { target: { value: "5" } });
  fireEvent.change(screen.getByLabelText("Tags"), { target: { value: "env:production" } });
  await screen.findByText("No values in the last 7 days.");
  const condition = {
    service: "checkout",
    signal: "profile",
    profile_type: "memory",
    sample_type: "inuse_space/bytes",
    route: null,
    tags: { env: "production" },
    comparison: "above",
    threshold: 1.5 * 2 ** 30,
    minutes: 5,
  };
  expect(server.callsOf(previewAlertRule).at(-1)?.body).toEqual(condition);
  fireEvent.click(screen.getByRole("button", { name: "Create rule" }));
  await closed.promise;
  expect(server.callsOf(createAlertRule).map(({ body }) => body)).toEqual([
    { ...condition, name: "Memory in use of checkout above 1.5 GB", severity: "warning" },
  ]);
});

it("a rule is changed, stays switched off, and the dialog stays open if that fails", async () => {
  const closed = Promise.withResolvers<void>();
  const server = newServer();
  server.on(updateAlertRule, () => failWith("not_found", "Rule not found"));
  renderWithQueries(<RuleDialog rule={rule} onClose={closed.resolve} />);
  const threshold = await screen.findByLabelText<HTMLInputElement>("Threshold");
  expect(threshold.value).toBe("2");
  fireEvent.change(threshold, { target: { value: "3" } });
  fireEvent.click(screen.getByRole("button", { name: "Save rule" }));
  expect((await screen.findByRole("alert")).textContent).toBe("Rule not found");
  server.on(updateAlertRule, () => replyWith(updateAlertRule, { rule }));
  fireEvent.click(screen.getByRole("button", { name: "Save rule" }));
  await closed.promise;
  expect(server.callsOf(updateAlertRule).at(-1)?.body).toMatchObject({
    name: "Heap too large",
    threshold: 3 * 2 ** 30,
    is_enabled: false,
  });
});

it("a rule is deleted after a confirmation, which says what happens to its alert", async () => {
  const onClose = vi.fn();
  const server = newServer();
  server.on(removeAlertRule, () => replyWith(removeAlertRule, { rule }));
  renderWithQueries(<RemoveRuleDialog rule={rule} onClose={onClose} />);
  await screen.findByText("Its open alert resolves. Its alerts stay in the list.");
  fireEvent.click(screen.getByRole("button", { name: "Delete" }));
  await waitFor(() => expect(onClose).toHaveBeenCalled());
  expect(server.callsOf(removeAlertRule)).toHaveLength(1);
});
