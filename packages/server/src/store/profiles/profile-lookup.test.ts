import { beforeEach, describe, expect, it } from "vitest";
import type { BytesQuery } from "#store/column/query.ts";
import { openProfileLookup, type ProfileLookup } from "./profile-lookup.ts";
import type { ProfileRow } from "./profile-row.ts";

const orgId = "6f7a64d3-6b0e-4a52-8f4f-5d6f1f9c5a01";
const otherOrgId = "6f7a64d3-6b0e-4a52-8f4f-5d6f1f9c5a02";
const profileId = "0123456789abcdef0123456769201234";

let asked: number;
let removals: number;
let nowMs: number;
let isStored: boolean;
let lookup: ProfileLookup;

beforeEach(() => {
  asked = 0;
  removals = 0;
  nowMs = 0;
  isStored = true;
  const query = async <P, R>(_: BytesQuery<P>, params: P): Promise<R[]> => {
    asked++;
    const { orgId: owner } = params as { orgId: string };
    return isStored && owner === orgId ? [{ profile_id: profileId, type: "cpu" } as ProfileRow as R] : [];
  };
  lookup = openProfileLookup({ query, removals: () => removals }, () => nowMs);
});

const find = () => lookup.find(orgId, profileId);

describe("the row of a profile", () => {
  it("is asked for once by a page that needs it three times", async () => {
    for (let call = 0; call < 3; call++) expect((await find())?.profile_id).toBe(profileId);
    expect(asked).toBe(1);
    expect(lookup.cached(orgId, profileId)?.type).toBe("cpu");
  });

  it("is not found for another organization, even after its own read it", async () => {
    await find();
    expect(lookup.cached(otherOrgId, profileId)).toBeUndefined();
    expect(await lookup.find(otherOrgId, profileId)).toBeUndefined();
    await expect(lookup.read(otherOrgId, profileId)).rejects.toThrow(profileId);
  });

  it("is gone at once when something was removed, also while it was asked for", async () => {
    await find();
    isStored = false;
    removals++;
    expect(await find()).toBeUndefined();
    isStored = true;
    const asking = find();
    removals++;
    await asking;
    expect(lookup.cached(orgId, profileId)).toBeUndefined();
  });

  it("is asked for again after half a minute, because another server may have removed it", async () => {
    await find();
    nowMs = 29_000;
    await find();
    expect(asked).toBe(1);
    nowMs = 30_000;
    isStored = false;
    expect(await find()).toBeUndefined();
  });

  it("is known where a list showed it, unless something was removed while that was read", async () => {
    const list = async () => [{ profile_id: profileId, type: "cpu" } as ProfileRow];
    expect(await lookup.listAndCache(orgId, list)).toHaveLength(1);
    expect((await find())?.type).toBe("cpu");
    expect(asked).toBe(0);
    expect(lookup.cached(otherOrgId, profileId)).toBeUndefined();
    await lookup.listAndCache(orgId, () => {
      removals++;
      return list();
    });
    expect(lookup.cached(orgId, profileId)).toBeUndefined();
  });

  it("is looked for again where there was none", async () => {
    isStored = false;
    expect(await find()).toBeUndefined();
    isStored = true;
    expect(await find()).toBeDefined();
  });
});
