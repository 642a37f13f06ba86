import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { storeTargets } from "#alerts/channels/targets.ts";
import { alertsOf, type NewAlert, ofDetector } from "#alerts/row/stored-alert.ts";
import { openRowStore } from "#store/row/row-store.ts";
import { quietLog, rowBackends } from "#store/testing/backends.ts";
import { alertPage, unmutedAlerts } from "./queries.ts";
import { incidentOf, recordGrown, recordOpened, recordResolved, type Signal } from "./record-change.ts";

const at = (hour: number, minute = 0) => new Date(Date.UTC(2026, 10, 20, hour, minute)).toISOString();

function signal(id: string, beganAt: string | null, openedAt: string, incidentId = id): Signal {
  return { id, incidentId, beganAt, openedAt };
}

it("joins the incident that began within two hours, before or after it", () => {
  const open = [signal("a", at(12), at(12, 20))];
  expect(incidentOf(signal("b", at(14), at(18)), open)).toBe("a");
  expect(incidentOf(signal("b", at(10), at(18)), open)).toBe("a");
  expect(incidentOf(signal("b", at(14, 1), at(14, 2)), open)).toBeUndefined();
  expect(incidentOf(signal("b", at(12), at(12, 20)), [])).toBeUndefined();
});

it("joins the nearest of several", () => {
  const open = [signal("a", at(9), at(9)), signal("b", at(12), at(12))];
  expect(incidentOf(signal("c", at(10, 40), at(12)), open)).toBe("b");
  expect(incidentOf(signal("c", at(10, 20), at(12)), open)).toBe("a");
});

it("compares with the first signal only, so that an incident does not grow for days", () => {
  const open = [signal("a", at(9), at(9)), signal("b", at(10, 50), at(11), "a")];
  expect(incidentOf(signal("c", at(12), at(12)), open)).toBeUndefined();
});

it("compares the times of opening if a beginning is not known", () => {
  expect(incidentOf(signal("b", null, at(12, 30)), [signal("a", at(6), at(12))])).toBe("a");
  expect(incidentOf(signal("b", at(6), at(15)), [signal("a", null, at(12))])).toBeUndefined();
});

const backends = await rowBackends();

const orgId = randomUUID();
const now = new Date("2026-11-20T12:00:00.000Z");
const later = new Date("2026-11-20T13:00:00.000Z");
const muchLater = new Date("2026-11-20T20:00:00.000Z");

function alertAt(openedAt: Date): NewAlert {
  const at = openedAt.toISOString();
  return {
    circumstances: null,
    id: randomUUID(),
    orgId,
    service: "checkout",
    type: "cpu",
    sampleType: "cpu/nanoseconds",
    profileId: "3f9a1c07be52d8e4460b7c91691e9f40",
    beganAt: at,
    openedAt: at,
    resolvedAt: null,
    previousValue: 1.5e9,
    currentValue: 3.25e9,
    increase: 1.1666,
    baselineFrom: at,
    baselineTo: at,
    currentFrom: at,
    currentTo: at,
    functions: "[]",
    reference: "{}",
  };
}

/** The reference of an alert about some instances. */
function referenceOf(instances: readonly string[]): string {
  const usual = { values: [], requests: [] };
  return JSON.stringify({ atMs: 0, previous: 1, usual, scope: { instances, above: 1 } });
}

describe.each(backends)("alerts on $name", (backend) => {
  it("open once for each series if two processes find them, with one delivery for each change", async () => {
    const place = await backend.create();
    const rows = await openRowStore(place.config, quietLog);
    await rows
      .insertInto("organizations")
      .values({ id: orgId, name: "Acme", isDemo: 0, suspendedAt: null, createdAt: now.toISOString() })
      .execute();
    const targets = { webhook: { secrets: { url: "sealed" }, settings: {} } };
    await storeTargets(rows, orgId, targets, now);
    const first = alertAt(now);
    const second = alertAt(now);
    const both = await Promise.all([recordOpened(rows, first, now), recordOpened(rows, second, now)]);
    expect(both.toSorted()).toEqual([false, true]);
    const winner = both[0] ? first : second;
    expect(await unmutedAlerts(rows, orgId, now)).toHaveLength(1);
    const resolved = () => recordResolved(rows, winner, later.toISOString(), later);
    expect([await resolved(), await resolved()]).toEqual([true, false]);
    expect(await unmutedAlerts(rows, orgId, now)).toEqual([]);
    const again = alertAt(muchLater);
    expect(await recordOpened(rows, again, muchLater)).toBe(true);
    const page = (status: "open" | "resolved" | "all") =>
      alertPage(rows, orgId, { service: undefined, status, before: undefined, limit: 10 });
    const stored = { withheldAt: null, unmutedAt: null, ...ofDetector };
    expect(await page("open")).toEqual([{ ...again, ...stored, incidentId: again.id }]);
    expect(await page("resolved")).toEqual([
      { ...winner, ...stored, incidentId: winner.id, resolvedAt: later.toISOString() },
    ]);
    const before = { openedAt: again.openedAt, id: again.id };
    expect(
      await alertPage(rows, orgId, { service: "checkout", status: "all", before, limit: 10 }),
    ).toHaveLength(1);
    const events = await rows
      .selectFrom("alertDeliveries")
      .select(["alertId", "event"])
      .orderBy("event")
      .execute();
    expect(events.map(({ event }) => event)).toEqual(["opened", "opened", "resolved"]);
    expect(new Set(events.map(({ alertId }) => alertId))).toEqual(new Set([winner.id, again.id]));
    await rows.destroy();
    await place.remove();
  });

  it("are in the incident that they return to within hours, if the rise is the same", async () => {
    const place = await backend.create();
    const rows = await openRowStore(place.config, quietLog);
    await rows
      .insertInto("organizations")
      .values({ id: orgId, name: "Acme", isDemo: 0, suspendedAt: null, createdAt: now.toISOString() })
      .execute();
    await storeTargets(rows, orgId, { webhook: { secrets: { url: "sealed" }, settings: {} } }, now);
    const alert = (release: string | null, changes: Partial<NewAlert> = {}): NewAlert => ({
      ...alertAt(later),
      circumstances: JSON.stringify({ release: release && { before: "1", after: "2", at: release } }),
      ...changes,
    });
    const incidentAfter = async (opened: NewAlert) => {
      expect(await recordOpened(rows, opened, later)).toBe(true);
      const stored = await alertsOf(rows, orgId).where("id", "=", opened.id).executeTakeFirstOrThrow();
      await recordResolved(rows, opened, later.toISOString(), later);
      return stored.incidentId;
    };
    const first = { ...alert(null), openedAt: now.toISOString() };
    expect(await incidentAfter(first)).toBe(first.id);
    const due = () =>
      rows.selectFrom("alertDeliveries").select("event").where("status", "=", "due").execute();
    expect((await due()).map(({ event }) => event).toSorted()).toEqual(["opened", "resolved"]);
    const back = alert(now.toISOString().replace("12:", "11:"));
    expect(await recordOpened(rows, back, later)).toBe(true);
    const stored = await alertsOf(rows, orgId).where("id", "=", back.id).executeTakeFirstOrThrow();
    expect(stored.incidentId).toBe(first.id);
    expect(JSON.parse(stored.circumstances!)).toMatchObject({ resolvedBefore: later.toISOString() });
    expect((await due()).map(({ event }) => event)).toEqual(["opened", "opened"]);
    await recordGrown(rows, back, { increase: 3, circumstances: back.circumstances }, later);
    const grown = await alertsOf(rows, orgId).where("id", "=", back.id).executeTakeFirstOrThrow();
    expect(JSON.parse(grown.circumstances!)).toMatchObject({ resolvedBefore: later.toISOString() });
    await recordResolved(rows, back, later.toISOString(), later);
    const released = alert(muchLater.toISOString());
    expect(await incidentAfter(released)).toBe(released.id);
    const onOne = alert(null, { reference: referenceOf(["cart-1"]) });
    expect(await incidentAfter(onOne)).toBe(onOne.id);
    expect(await incidentAfter(alert(null, { reference: referenceOf(["cart-1"]) }))).toBe(onOne.id);
    await rows
      .insertInto("alertHandling")
      .values(
        (await alertsOf(rows, orgId).execute()).map(({ id }) => ({ orgId, alertId: id, expectedAt: at(13) })),
      )
      .execute();
    const expected = alert(null, { reference: referenceOf(["cart-1"]) });
    expect(await incidentAfter(expected)).toBe(expected.id);
    await rows.destroy();
    await place.remove();
  });

  it("are one incident if two processes open signals of a service at the same time", async () => {
    const place = await backend.create();
    const [one, other] = [
      await openRowStore(place.config, quietLog),
      await openRowStore(place.config, quietLog),
    ];
    await one
      .insertInto("organizations")
      .values({ id: orgId, name: "Acme", isDemo: 0, suspendedAt: null, createdAt: now.toISOString() })
      .execute();
    await storeTargets(one, orgId, { webhook: { secrets: { url: "sealed" }, settings: {} } }, now);
    const types = ["cpu", "memory", "mutex", "goroutine", "block"];
    await Promise.all(
      types.map((type, index) => recordOpened(index % 2 ? one : other, { ...alertAt(now), type }, now)),
    );
    const stored = await one.selectFrom("alerts").select("incidentId").execute();
    expect([stored.length, new Set(stored.map(({ incidentId }) => incidentId)).size]).toEqual([5, 1]);
    const events = await one.selectFrom("alertDeliveries").select("event").orderBy("event").execute();
    expect(events.map(({ event }) => event)).toEqual(["opened", "updated", "updated", "updated", "updated"]);
    await Promise.all([one.destroy(), other.destroy()]);
    await place.remove();
  });
});
