import { randomUUID } from "node:crypto";
import { limits } from "@flamekeep/contract";
import { DashboardDefinition } from "@flamekeep/contract/schemas";
import { describe, expect, it } from "vitest";
import { openRowStore, type RowStore } from "#store/row/row-store.ts";
import { quietLog, rowBackends } from "#store/testing/backends.ts";
import {
  addVersion,
  countDashboards,
  deleteDashboard,
  findVersion,
  insertDashboard,
  latestVersions,
  versionsOfDashboard,
} from "./queries.ts";

const backends = await rowBackends();
const at = "2026-11-20T12:00:00.000Z";

async function newOrganization(rows: RowStore): Promise<string> {
  const id = randomUUID();
  const organization = { id, name: "Acme", isDemo: 0, suspendedAt: null, createdAt: at } as const;
  await rows.insertInto("organizations").values(organization).execute();
  return id;
}

describe.each(backends)("dashboards on $name", (backend) => {
  it("belong to their organization, keep their latest versions, and go with it", async () => {
    const place = await backend.create();
    const rows = await openRowStore(place.config, quietLog);
    try {
      const [ours, theirs] = [await newOrganization(rows), await newOrganization(rows)];
      const id = randomUUID();
      const version = (number: number, orgId = ours) => ({
        orgId,
        dashboardId: id,
        version: number,
        definition: DashboardDefinition.parse({ name: `v${number}` }),
        savedBy: null,
        savedAt: at,
      });
      await insertDashboard(rows, version(1));
      await insertDashboard(rows, version(1, theirs));
      for (let next = 2; next <= limits.dashboardVersionsMax + 3; next++)
        await addVersion(rows, version(next));

      const [latest] = await latestVersions(rows, ours);
      expect(latest).toMatchObject({ id, version: 53, savedBy: null, definition: { name: "v53" } });
      const kept = (await versionsOfDashboard(rows, ours, id)).map((each) => each.version);
      expect([kept.length, kept[0], kept.at(-1)]).toEqual([limits.dashboardVersionsMax, 53, 4]);
      expect(await findVersion(rows, ours, { id, version: 3 })).toBeUndefined();
      expect((await findVersion(rows, theirs, { id }))?.version).toBe(1);

      await deleteDashboard(rows, ours, id);
      expect(await countDashboards(rows, ours)).toBe(0);
      expect(await versionsOfDashboard(rows, ours, id)).toEqual([]);
      await rows.deleteFrom("organizations").where("id", "=", theirs).execute();
      expect(await countDashboards(rows, theirs)).toBe(0);
    } finally {
      await rows.destroy();
      await place.remove();
    }
  });
});
