import { columnTables, daysOf, piecesOf, profilesOf } from "./column-rows.ts";
import type { Stores } from "./export-organization.ts";
import { OriginalWriter, readOriginal } from "./originals.ts";
import { RowWriter } from "./write-rows.ts";

export interface CopiedOrganization {
  /** Rows of profiles that the target did not have. */
  readonly profiles: number;
  /** Profiles without original bytes. */
  readonly withoutOriginal: number;
}

/** Copies what `to` lacks of an organization's profiles, requests, stacks and original bytes, day by day. */
export async function copyOrganization(
  from: Stores,
  to: Stores,
  orgId: string,
  progress: (line: string) => void,
): Promise<CopiedOrganization> {
  const writer = new RowWriter(to.columns, orgId);
  let profiles = 0;
  let withoutOriginal = 0;
  for (const day of await daysOf(from.columns.direct, orgId)) {
    let ofDay = 0;
    for (const table of columnTables)
      for await (const piece of piecesOf(from.columns.direct, orgId, day, table)) {
        const added = await writer.write(piece);
        if (table === "profiles") ofDay += added;
      }
    withoutOriginal += await copyOriginals(from, to, orgId, day);
    progress(`  ${day}: ${ofDay} profiles`);
    profiles += ofDay;
  }
  await writer.finish();
  return { profiles, withoutOriginal };
}

/**
 * After the rows: after a kill, the store would make rows that it lacks from the original bytes, and they may be others. Returns the number of
 * profiles without bytes.
 */
async function copyOriginals(from: Stores, to: Stores, orgId: string, day: string): Promise<number> {
  const writer = new OriginalWriter(to.payloads, orgId);
  let missing = 0;
  for (const ref of await profilesOf(from.columns.direct, orgId, day)) {
    if (ref.type === "metrics") continue;
    const original = await readOriginal(from.payloads, orgId, ref);
    if (original.content === undefined) missing++;
    await writer.write(original);
  }
  await writer.flush();
  return missing;
}
