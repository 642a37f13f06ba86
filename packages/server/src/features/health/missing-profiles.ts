import type { Warning } from "@flamekeep/contract";
import type { Context } from "#context";

const name = "stored profiles are missing";

/** Stored profiles that are missing from all results, and what an operator can do. Folders are named without their path. */
export async function missingProfiles(ctx: Context): Promise<Warning[]> {
  const folders = await ctx.columns.quarantined();
  const { lostParts } = ctx.columns.health();
  const warnings = folders.map((folder) => ({
    name,
    message: `${folder} in the data folder holds a column store that was moved aside because it did not open. Its profiles are in no list and no chart.`,
    action: `Stop the server and run: npm run restore-quarantine ${folder}. If the profiles are not needed, remove the folder.`,
  }));
  if (lostParts.length === 0) return warnings;
  const tables = [...new Set(lostParts.map(({ table }) => table))].join(", ");
  const parts = lostParts.length === 1 ? "1 damaged part" : `${lostParts.length} damaged parts`;
  const lost = {
    name,
    message: `The column store opened without ${parts} (${tables}). Their rows are in no list and no chart.`,
    action:
      "Stop the server and put a backup of the data folder in place. Without a backup the rows are lost: remove the parts from the tables' folders named detached to end this warning.",
  };
  return [...warnings, lost];
}

/** The same for those who cannot do anything about it. */
export function withoutDetails(warnings: readonly Warning[]): Warning[] {
  if (warnings.length === 0) return [];
  return [
    {
      name,
      message:
        "Profiles that were stored earlier are in no list and no chart until an operator restores them.",
    },
  ];
}
