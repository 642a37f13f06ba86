import { expect, it } from "vitest";
import { ServiceLimit } from "./service-limit.ts";

const orgId = "6f0e0c7e-8f4e-4a43-9c0a-3f1f9d1b7a10";

function limitOver(stored: string[]) {
  const clock = { ms: 0 };
  const state = { stored, reads: 0, isAway: false };
  const store = {
    query: async () => {
      state.reads++;
      if (state.isAway) throw new Error("away");
      return state.stored.map((service) => ({ service })) as never;
    },
  };
  const services = new ServiceLimit({ store, log: { warn: () => undefined }, elapsedMs: () => clock.ms });
  const admit = async (service: string, value = 3) => {
    const refusal = await services.admit(orgId, service, { name: "services", value, source: "server" });
    return refusal?.message;
  };
  return { clock, state, services, admit };
}

it("reads the store once, and refuses new services beyond the limit by name", async () => {
  const { state, admit, services } = limitOver(["a", "b"]);
  expect(await admit("a")).toBeUndefined();
  expect(await admit("c")).toBeUndefined();
  expect(await admit("d")).toBe(
    "Your organization has 3 services; its limit is 3, and d would be a further one. Delete a service, or ask the server's operator to raise ORG_SERVICES_MAX.",
  );
  expect(await admit("c")).toBeUndefined();
  expect([services.isKnown(orgId, "c"), services.isKnown(orgId, "d"), state.reads]).toEqual([true, false, 1]);
});

it("keeps parallel uploads within the limit together", async () => {
  const { admit } = limitOver([]);
  const refusals = await Promise.all(["a", "b", "c", "d", "e"].map((service) => admit(service)));
  expect(refusals.filter((refusal) => refusal !== undefined)).toHaveLength(2);
});

it("follows a changed limit at once, and keeps the services that are there", async () => {
  const { admit } = limitOver(["a", "b"]);
  expect(await admit("c", 2)).toBeDefined();
  expect(await admit("c", 3)).toBeUndefined();
  expect(await admit("a", 1)).toBeUndefined();
  expect(await admit("d", 0)).toContain("its limit is 0");
});

it("notices services that ended after a minute, and keeps new ones that are not stored yet", async () => {
  const { clock, state, admit } = limitOver(["a", "b"]);
  await admit("a");
  await admit("c");
  state.stored = ["a"];
  clock.ms += 59_000;
  expect(await admit("d")).toBeDefined();
  clock.ms += 1_000;
  expect(await admit("d")).toBeUndefined();
  expect(await admit("e")).toBeDefined();
  expect(state.reads).toBe(2);
});

it("reads again at once after a removal", async () => {
  const { state, services, admit } = limitOver(["a", "b", "c"]);
  expect(await admit("d")).toBeDefined();
  state.stored = ["a", "b"];
  services.noteRemoval();
  expect(await admit("d")).toBeUndefined();
});

it("does not keep uploads out while the store cannot be read", async () => {
  const { state, admit } = limitOver(["a", "b", "c"]);
  state.isAway = true;
  expect(await admit("d")).toBeUndefined();
});
