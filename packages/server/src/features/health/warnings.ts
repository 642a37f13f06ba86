import type { Warning } from "@flamekeep/contract";
import type { Context } from "#context";

/** Data of a kind that an operator must look after, with what may be shown to others. */
interface Kind {
  readonly name: string;
  readonly forOthers: string;
}

const profiles: Kind = {
  name: "stored profiles are missing",
  forOthers: "Profiles that were stored earlier are in no list and no chart until an operator restores them.",
};
const payloads: Kind = {
  name: "original bytes of profiles cannot be read",
  forOthers:
    "Some profiles that were stored earlier cannot be opened or downloaded until an operator restores their files.",
};
const kinds = [profiles, payloads];

/** What needs an operator though the server works. Files and folders are named relative to the data folder. */
export async function currentWarnings(ctx: Context): Promise<Warning[]> {
  return (await Promise.all([missingProfiles(ctx), unreadablePayloads(ctx)])).flat();
}

async function missingProfiles(ctx: Context): Promise<Warning[]> {
  const { name } = profiles;
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

async function unreadablePayloads(ctx: Context): Promise<Warning[]> {
  const { name } = payloads;
  const { setAside, unusable } = await ctx.payloads.problems();
  return [
    ...setAside.map((file) => ({
      name,
      message: `payloads/${file} in the data folder is a damaged file that was set aside. The profiles in it cannot be opened or downloaded; lists and charts still count them.`,
      action:
        "Stop the server and put the day's file from a backup in place (docs/backups.md). Then, or if the profiles are not needed, remove the damaged file.",
    })),
    ...unusable.map(({ day }) => ({
      name,
      message: `payloads/${day}.sqlite in the data folder cannot be used: uploads of ${day} are refused, or its profiles cannot be opened.`,
      action:
        "The server's log names the cause. Correct the file's owner and mode, or stop the server and put the file from a backup in place (docs/backups.md).",
    })),
  ];
}

/** The same for those who cannot do anything about it. */
export function withoutDetails(warnings: readonly Warning[]): Warning[] {
  return kinds
    .filter(({ name }) => warnings.some((warning) => warning.name === name))
    .map(({ name, forOthers }) => ({ name, message: forOthers }));
}
