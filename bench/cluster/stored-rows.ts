/** Rows of an organization in the column store, past all servers. */
export interface StoredRows {
  readonly profiles: number;
  /** Rows of profiles beyond the first one of each. */
  readonly doubledProfiles: number;
  /** Original bytes beyond the first of each profile. */
  readonly doubledOriginals: number;
  /** Profiles that the totals by minute count beyond those stored, or short of them. */
  readonly countedWrongly: number;
  /** Stacks of profiles that nothing describes: their share of a flame graph has no names. */
  readonly unknownStacks: number;
}

export async function storedRows(clickHouseUrl: string, orgId: string): Promise<StoredRows> {
  const ofOrganization = "org_id = {orgId:UUID}";
  const sql = `SELECT
      (SELECT count() FROM profiles WHERE ${ofOrganization}) AS profiles,
      (SELECT uniqExact(profile_id) FROM profiles WHERE ${ofOrganization}) AS ids,
      (SELECT count() - uniqExact(profile_id) FROM payloads WHERE ${ofOrganization}) AS doubledOriginals,
      (SELECT sum(profiles) FROM type_totals_1m WHERE ${ofOrganization} AND sample_type = '') AS counted,
      (SELECT uniqExact(stack) FROM (SELECT arrayJoin(stacks) AS stack FROM profiles WHERE ${ofOrganization})
        WHERE stack NOT IN (SELECT stack_id FROM stacks WHERE ${ofOrganization})) AS unknownStacks
    FORMAT JSONEachRow`;
  const url = `${clickHouseUrl}?${new URLSearchParams({ readonly: "1", param_orgId: orgId })}`;
  const reply = await fetch(url, { method: "POST", body: sql });
  const text = await reply.text();
  if (!reply.ok) throw new Error(`the column store answered ${reply.status}: ${text}`);
  const row = JSON.parse(text) as Record<
    "profiles" | "ids" | "counted" | "doubledOriginals" | "unknownStacks",
    unknown
  >;
  const [profiles, ids, counted] = [row.profiles, row.ids, row.counted].map(Number) as [
    number,
    number,
    number,
  ];
  return {
    profiles,
    doubledProfiles: profiles - ids,
    doubledOriginals: Number(row.doubledOriginals),
    countedWrongly: Math.abs(profiles - counted),
    unknownStacks: Number(row.unknownStacks),
  };
}
