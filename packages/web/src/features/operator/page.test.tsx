// @vitest-environment happy-dom
import type { ServerStatus } from "@flamekeep/contract";
import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import { ServerHealth } from "./page.tsx";

afterEach(cleanup);

const status: ServerStatus = {
  status: "operational",
  message: "All systems operational",
  cpu_percent: 2,
  memory_bytes: 1,
  open_alerts: 0,
  is_loading: false,
  checks: [],
  warnings: [],
  notices: [
    {
      name: "mail is not sent",
      message: "SMTP_URL is not set, so 2 emails are waiting in the outbox folder.",
      action: "Set SMTP_URL.",
    },
  ],
  started_at: "2026-11-20T10:00:00.000Z",
  version: "0.1.0",
};

it("shows how many emails wait in the outbox folder, and what to do", () => {
  render(<ServerHealth status={status} />);
  expect(screen.getByText("Mail is not sent")).toBeTruthy();
  expect(screen.getByText(/2 emails are waiting in the outbox folder/)).toBeTruthy();
  expect(screen.getByText("Set SMTP_URL.")).toBeTruthy();
});
