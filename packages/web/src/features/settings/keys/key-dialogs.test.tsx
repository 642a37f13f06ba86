// @vitest-environment happy-dom
import { type ApiKey, createApiKey, revokeApiKey } from "@flamekeep/contract";
import { cleanup, fireEvent, screen } from "@testing-library/react";
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { FakeServer, failWith, replyWith } from "#testing/fake-server.ts";
import { renderWithQueries } from "#testing/render.tsx";
import { CreatedKeyDialog, CreateKeyDialog, maskedKey, RevokeKeyDialog } from "./key-dialogs.tsx";

const apiKey: ApiKey = {
  id: "9b2f6a4e-5f0c-4a6e-9d0a-0f0b6f1f2a11",
  name: "checkout",
  scope: "ingest",
  prefix: "fk_sec",
  is_active: true,
  created_at: "2026-11-20T10:00:00.000Z",
  created_by: { name: "Ada Lovelace", is_member: true },
  updated_at: "2026-11-20T10:00:00.000Z",
  expires_at: null,
  last_used: null,
};

let server: FakeServer;
beforeEach(() => {
  server = new FakeServer();
});
afterEach(cleanup);
afterAll(() => vi.unstubAllGlobals());

const button = (name: string) => screen.getByRole<HTMLButtonElement>("button", { name });

describe("the dialog that creates an API key", () => {
  it("sends the trimmed name, and nothing while the name is blank", async () => {
    server.on(createApiKey, () =>
      replyWith(createApiKey, {
        api_key: { ...apiKey, key: "fk_secret" },
      }),
    );
    const created = Promise.withResolvers<unknown>();
    renderWithQueries(<CreateKeyDialog onClose={() => {}} onCreated={created.resolve} />);
    const name = await screen.findByLabelText("Name");
    fireEvent.change(name, { target: { value: "   " } });
    expect(button("Create API Key").disabled).toBe(true);
    fireEvent.change(name, { target: { value: " checkout " } });
    fireEvent.click(button("Create API Key"));
    expect(await created.promise).toEqual({ name: "checkout", key: "fk_secret" });
    expect(server.callsOf(createApiKey).map(({ body }) => body)).toEqual([
      { name: "checkout", scope: "ingest", format: "flamekeep", expires_in_days: null },
    ]);
  });

  it("asks for a key that Datadog's libraries take", async () => {
    server.on(createApiKey, () => replyWith(createApiKey, { api_key: { ...apiKey, key: "0".repeat(32) } }));
    const created = Promise.withResolvers<unknown>();
    renderWithQueries(<CreateKeyDialog onClose={() => {}} onCreated={created.resolve} />);
    fireEvent.change(await screen.findByLabelText("Name"), { target: { value: "checkout" } });
    fireEvent.click(screen.getByLabelText("Use"));
    const option = await screen.findByRole("option", { name: "Send with Datadog's libraries" });
    fireEvent.pointerDown(option);
    fireEvent.pointerUp(option);
    fireEvent.keyDown(option, { key: "Enter" });
    fireEvent.click(button("Create API Key"));
    await created.promise;
    expect(server.callsOf(createApiKey).map(({ body }) => body)).toEqual([
      { name: "checkout", scope: "ingest", format: "datadog", expires_in_days: null },
    ]);
  });

  it("shows the server's reason, or a general one while the server is away", async () => {
    server.on(createApiKey, () => failWith("quota_exceeded", "The organization has 100 keys"));
    renderWithQueries(<CreateKeyDialog onClose={() => {}} onCreated={() => {}} />);
    fireEvent.change(await screen.findByLabelText("Name"), { target: { value: "checkout" } });
    fireEvent.click(button("Create API Key"));
    expect((await screen.findByRole("alert")).textContent).toBe("The organization has 100 keys");
    server.on(createApiKey, () => Promise.reject(new TypeError("Failed to fetch")));
    fireEvent.click(button("Create API Key"));
    await screen.findByText("Failed to create API key");
  });
});

describe("the dialog that shows a created key", () => {
  it("hides the key until it is asked for, and closes by its button only", async () => {
    const onClose = vi.fn();
    renderWithQueries(
      <CreatedKeyDialog created={{ name: "checkout", key: "fk_secret" }} onClose={onClose} />,
    );
    const key = await screen.findByTestId("api-key");
    expect(key.textContent).toBe("fk_sec•••");
    fireEvent.click(button("Show key"));
    expect(key.textContent).toBe("fk_secret");
    fireEvent.keyDown(key, { key: "Escape" });
    expect(screen.queryByRole("button", { name: "Close" })).toBeNull();
    expect(onClose).not.toHaveBeenCalled();
    fireEvent.click(button("I've Copied the Key"));
    expect(onClose).toHaveBeenCalledTimes(1);
  });
});

describe("the dialog that revokes a key", () => {
  it("stays open with the reason when revoking fails, and closes when it succeeds", async () => {
    const closed = Promise.withResolvers<void>();
    server.on(revokeApiKey, () => failWith("unavailable", "The database is locked"));
    renderWithQueries(<RevokeKeyDialog apiKey={apiKey} onClose={closed.resolve} />);
    await screen.findByRole("dialog", { name: "Revoke checkout?" });
    fireEvent.click(button("Revoke key"));
    expect((await screen.findByRole("alert")).textContent).toBe("The database is locked");
    server.on(revokeApiKey, () => replyWith(revokeApiKey, { api_key: { ...apiKey, is_active: false } }));
    fireEvent.click(button("Revoke key"));
    await closed.promise;
    expect(server.callsOf(revokeApiKey).map(({ path }) => path.split("/").at(-1))).toEqual([
      apiKey.id,
      apiKey.id,
    ]);
  });
});

it("masks a key except its start and its length", () => {
  expect(maskedKey("fk_7Kq2nB4xWm_secret")).toBe("fk_7Kq••••••••••••••");
  expect(maskedKey("fk")).toBe("fk");
});
