import { beforeEach, describe, expect, it } from "vitest";
import type { BytesQuery } from "#store/column/query.ts";
import { openProfileLookup, type ProfileLookup } from "./profile-lookup.ts";
import type { ProfileRow } from "./profile-row.ts";

const orgId = "6f7a64d3-6b0e-4a52-8f4f-5d6f1f9c5a01";
const otherOrgId = "6f7a64d3-6b0e-4a52-8f4f-5d6f1f9c5a02";
const profileId = "0123456789abcdef0123456769201234";

let asked: number;
let removalVersion: number;
let nowMs: number;
let isStored: boolean;
let lookup: ProfileLookup;

beforeEach(() => {
  asked = 0;
  removalVersion = 0;
  nowMs = 0;
  isStored = true;
  const query = async <P, R>(_: BytesQuery<P>, params: P): Promise<R[]> => {
    asked++;
    const { orgId: owner } = params as { orgId: string };
    return isStored && owner === orgId ? [{ profile_id: profileId, type: "cpu" } as ProfileRow as R] : [];
  };
  lookup = openProfileLookup({ query, removalVersion: () => removalVersion }, () => nowMs);
});

const find = () => lookup.find(orgId, profileId);

describe("the row of a profile", () => {
  it("is queried once by a page that needs it three times", async () => {
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

  it("is dropped from the cache at once after a removal, also one during the query", async () => {
    await find();
    isStored = false;
    removalVersion++;
    expect(await find()).toBeUndefined();
    isStored = true;
    const asking = find();
    removalVersion++;
    await asking;
    expect(lookup.cached(orgId, profileId)).toBeUndefined();
  });

  it("is queried again after half a minute, because another server may have removed it", async () => {
    await find();
    nowMs = 29_000;
    await find();
    expect(asked).toBe(1);
    nowMs = 30_000;
    isStored = false;
    expect(await find()).toBeUndefined();
  });

  it("is cached from a list, unless something was removed during the list's query", async () => {
    const list = async () => [{ profile_id: profileId, type: "cpu" } as ProfileRow];
    expect(await lookup.listAndCache(orgId, list)).toHaveLength(1);
    expect((await find())?.type).toBe("cpu");
    expect(asked).toBe(0);
    expect(lookup.cached(otherOrgId, profileId)).toBeUndefined();
    await lookup.listAndCache(orgId, () => {
      removalVersion++;
      return list();
    });
    expect(lookup.cached(orgId, profileId)).toBeUndefined();
  });

  it("is queried again if it did not exist", async () => {
    isStored = false;
    expect(await find()).toBeUndefined();
    isStored = true;
    expect(await find()).toBeDefined();
  });
});
