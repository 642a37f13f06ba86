import { expect, it } from "vitest";
import { startApp } from "#testing/start-app.ts";
import { parseApiKey } from "./api-key.ts";
import { openKeyLookup } from "./key-lookup.ts";

it("does not keep a key that was revoked while it was read", async () => {
  const server = await startApp();
  try {
    const person = await server.signUp();
    const { id, key } = await server.makeKey(person);
    const publicId = parseApiKey(key)!.publicId;
    const lookup = openKeyLookup(server.rows, server.ctx.log, server.clock.now, server.ctx.audit);
    const reading = lookup.find(key);
    lookup.forget(publicId);
    expect((await reading)?.keyId).toBe(id);
    await server.rows.updateTable("apiKeys").set({ isActive: 0 }).where("id", "=", id).execute();
    expect(await lookup.find(key)).toBeUndefined();
  } finally {
    await server.close();
  }
});
