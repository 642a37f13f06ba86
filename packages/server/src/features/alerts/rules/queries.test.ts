import { randomUUID } from "node:crypto";
import type { Insertable } from "kysely";
import { describe, expect, it } from "vitest";
import { storeTargets } from "#alerts/channels/targets.ts";
import type { NewAlert } from "#alerts/row/stored-alert.ts";
import { deliveriesDue } from "#alerts/store/queries.ts";
import { recordOpened, recordResolved } from "#alerts/store/record-change.ts";
import { type Database, openRowStore, type RowStore } from "#store/row/row-store.ts";
import { quietLog, rowBackends } from "#store/testing/backends.ts";
import {
  countRules,
  deleteRule,
  enabledRules,
  findRule,
  firingRules,
  getRuleProgress,
  insertRule,
  listedRules,
  openAlertOfRule,
  ruleAlertsSince,
  storeRule,
  storeRuleProgress,
} from "./queries.ts";

const backends = await rowBackends();
const now = new Date("2026-11-20T12:00:00.000Z");
const at = now.toISOString();

async function newOrganization(rows: RowStore): Promise<string> {
  const id = randomUUID();
  await rows
    .insertInto("organizations")
    .values({ id, name: "Acme", isDemo: 0, suspendedAt: null, createdAt: at })
    .execute();
  return id;
}

function ruleOf(orgId: string, name: string): Insertable<Database["alertRules"]> {
  return {
    id: randomUUID(),
    orgId,
    name,
    service: "checkout",
    signal: "profile",
    profileType: "memory",
    ...{
      sampleType: "inuse_space/bytes",
      route: null,
      tags: '{"env":"production"}',
      comparison: "above",
      threshold: 2 ** 31,
    },
    minutes: 10,
    severity: "warning",
    isEnabled: 1,
    createdBy: null,
    createdAt: at,
    definedAt: at,
  };
}

function alertOf(orgId: string, ruleId: string | null): NewAlert {
  return {
    id: randomUUID(),
    orgId,
    service: "checkout",
    type: "memory",
    sampleType: "inuse_space/bytes",
    profileId: "",
    beganAt: at,
    openedAt: at,
    resolvedAt: null,
    circumstances: null,
    previousValue: 1,
    currentValue: 2,
    increase: 1,
    functions: "[]",
    reference: "{}",
    baselineFrom: at,
    baselineTo: at,
    currentFrom: at,
    currentTo: at,
    ...(ruleId !== null && { ruleId, rule: "{}", severity: "warning" }),
  };
}

describe.each(backends)("rules on $name", (backend) => {
  it("belong to their organization", async () => {
    const place = await backend.create();
    const rows = await openRowStore(place.config, quietLog);
    const [ours, theirs] = [await newOrganization(rows), await newOrganization(rows)];
    const rule = ruleOf(ours, "Heap too large");
    await insertRule(rows, rule);
    await insertRule(rows, { ...ruleOf(theirs, "Theirs"), id: rule.id });
    expect((await listedRules(rows, ours)).map(({ name }) => name)).toEqual(["Heap too large"]);
    expect(await countRules(rows, ours)).toBe(1);
    await storeRule(rows, rule, { isEnabled: 0, threshold: 0.25 });
    expect(await enabledRules(rows, ours)).toEqual([]);
    expect(await findRule(rows, ours, rule.id)).toEqual({
      ...rule,
      tags: { env: "production" },
      isEnabled: 0,
      threshold: 0.25,
    });
    expect(await enabledRules(rows, theirs)).toMatchObject([{ name: "Theirs", threshold: 2 ** 31 }]);
    await deleteRule(rows, rule);
    expect([await countRules(rows, ours), await countRules(rows, theirs)]).toEqual([0, 1]);
    await storeRuleProgress(rows, ours, at);
    await storeRuleProgress(rows, ours, at.replace("12:00", "12:01"));
    expect([await getRuleProgress(rows, ours), await getRuleProgress(rows, theirs)]).toEqual([
      "2026-11-20T12:01:00.000Z",
      undefined,
    ]);
    await rows.destroy();
    await place.remove();
  });

  it("have one open alert each, next to that of the detector, with one delivery if two processes open it", async () => {
    const place = await backend.create();
    const rows = await openRowStore(place.config, quietLog);
    const orgId = await newOrganization(rows);
    await storeTargets(rows, orgId, { webhook: { secrets: { url: "sealed" }, settings: {} } }, now);
    const [rule, other] = [ruleOf(orgId, "Heap too large"), ruleOf(orgId, "Heap far too large")];
    for (const each of [rule, other]) await insertRule(rows, each);
    const open = (ruleId: string | null) => recordOpened(rows, alertOf(orgId, ruleId), now);
    expect((await Promise.all([open(rule.id), open(rule.id)])).toSorted()).toEqual([false, true]);
    expect(await deliveriesDue(rows, now, 10)).toHaveLength(1);
    expect([await open(null), await open(null), await open(other.id)]).toEqual([true, false, true]);
    expect(await firingRules(rows, orgId)).toEqual(new Set([rule.id, other.id]));
    const alert = await openAlertOfRule(rows, orgId, rule.id);
    expect(await recordResolved(rows, alert!, at, now)).toBe(true);
    expect(await openAlertOfRule(rows, orgId, rule.id)).toBeUndefined();
    const since = (moment: string) => ruleAlertsSince(rows, orgId, moment).then((found) => found.length);
    expect([await since(at), await since("2026-11-20T11:59:59.999Z")]).toEqual([1, 2]);
    expect(await open(rule.id)).toBe(true);
    await rows.destroy();
    await place.remove();
  });

  it("open no alert that is not wanted any more when it is stored", async () => {
    const place = await backend.create();
    const rows = await openRowStore(place.config, quietLog);
    const orgId = await newOrganization(rows);
    const rule = ruleOf(orgId, "Heap too large");
    const isThere = async (store: RowStore) => (await findRule(store, orgId, rule.id)) !== undefined;
    expect(await recordOpened(rows, alertOf(orgId, rule.id), now, isThere)).toBe(false);
    await insertRule(rows, rule);
    expect(await recordOpened(rows, alertOf(orgId, rule.id), now, isThere)).toBe(true);
    await rows.destroy();
    await place.remove();
  });
});
