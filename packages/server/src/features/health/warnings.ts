import type { Warning } from "@flamekeep/contract";
import type { Context } from "#context";

/** A kind of problem that needs an operator, with the text for everybody else. */
interface Kind {
  readonly name: string;
  readonly forOthers: string;
}

const profiles: Kind = {
  name: "stored profiles are missing",
  forOthers: "Earlier profiles are missing from lists and charts until an operator restores them.",
};
const payloads: Kind = {
  name: "original bytes of profiles cannot be read",
  forOthers: "Some earlier profiles cannot be opened or downloaded until an operator restores their files.",
};
const damage: Kind = {
  name: "stored data is damaged",
  forOthers: "Some stored data is damaged: calls that need it fail until an operator restores it.",
};
const proxies: Kind = {
  name: "reverse proxy is not trusted",
  forOthers: "Requests come through a reverse proxy that TRUSTED_PROXIES does not list.",
};
const rollUps: Kind = {
  name: "hourly roll-ups are behind",
  forOthers: "Long ranges are slow and may fail until the server has caught up.",
};
const early: Kind = {
  name: "old days are removed early",
  forOthers: "The disk is short of space, so the oldest profiles were removed before their retention ended.",
};
const unfreed: Kind = {
  name: "removal by size cannot free enough",
  forOthers: "The disk is short of space, and removing old profiles would not free enough.",
};
const objects: Kind = {
  name: "object storage cannot be used",
  forOthers: "Some earlier profiles cannot be opened or downloaded until object storage can be used again.",
};
const kinds = [profiles, payloads, damage, proxies, rollUps, early, unfreed, objects];

/** Problems that need an operator although the server works. Paths are relative to the data folder. */
export async function currentWarnings(ctx: Context): Promise<Warning[]> {
  return (await Promise.all([missingProfiles(ctx), unreadablePayloads(ctx)])).flat();
}

async function missingProfiles(ctx: Context): Promise<Warning[]> {
  const { name } = profiles;
  const folders = await ctx.columns.quarantined();
  const { lostParts } = ctx.columns.health();
  const warnings = folders.map((folder) => ({
    name,
    message: `${folder} in the data folder holds a quarantined column store that did not open. Its profiles are missing from lists and charts.`,
    action: `Stop the server and run: npm run restore-quarantine ${folder}, with the server's settings (DATA_DIR). If the profiles are not needed, remove the folder.`,
  }));
  if (lostParts.length === 0) return warnings;
  const lost = {
    name,
    message: `The column store opened without ${countParts(lostParts)}. Their rows are missing from lists and charts.`,
    action:
      "Stop the server and put a backup of the data folder in place. Without a backup the rows are lost: remove the parts from the tables' folders named detached to end this warning.",
  };
  return [...warnings, lost];
}

async function unreadablePayloads(ctx: Context): Promise<Warning[]> {
  const { name } = payloads;
  const { segments, setAside, unusable } = await ctx.payloads.problems();
  return [
    ...setAside.map((file) => ({
      name,
      message: `payloads/${file} in the data folder is a quarantined, damaged file. The profiles in it cannot be opened or downloaded; lists and charts still count them.`,
      action:
        "Stop the server and put the day's file from a backup in place (docs/backups.md). Then, or if the profiles are not needed, remove the damaged file.",
    })),
    ...segments
      .filter(({ reason }) => reason !== undefined)
      .map(({ file, reason }) => ({
        name,
        message: `${file} in the data folder cannot be used: ${reason}. The profiles in it cannot be opened or downloaded; lists and charts still count them.`,
        action:
          "Stop the server and put the file from a backup in place (docs/backups.md). Then start the server again to clear this warning.",
      })),
    ...unusable.map(({ day }) => ({
      name,
      message: `The files of ${day} in the folder uploads of the data folder, or the file payloads/${day}.sqlite of an earlier version, cannot be used: uploads of ${day} are rejected, or its profiles cannot be opened.`,
      action:
        "The server's log names the cause. Correct the file's owner and mode, or stop the server and put the file from a backup in place (docs/backups.md).",
    })),
  ];
}

/** Tasks of an operator that are no fault of the server: anybody who forgets a password causes a mail. */
export async function currentNotices({ mailer }: Context): Promise<Warning[]> {
  const waiting = mailer.isSending ? 0 : await mailer.waiting();
  if (waiting === 0) return [];
  const message = `SMTP_URL is not set, so ${waiting === 1 ? "1 email is" : `${waiting} emails are`} waiting in the outbox folder of the data folder: password resets, invitations and alerts.`;
  const action =
    "Set SMTP_URL and start the server again, or forward the emails yourself and delete the files. The notice clears when the folder is empty.";
  return [{ name: "mail is not sent", message, action }];
}

/** Damage that reads found since the start. */
export function damagedParts(ctx: Context): Warning[] {
  const parts = ctx.columns.damagedParts();
  if (parts.length === 0) return [];
  const message = `The column store has ${countParts(parts)}. Calls that need their rows fail; all others work.`;
  const action =
    "The log names each part. Stop the server and put a backup of the data folder in place. The warning clears at the next start.";
  return [{ name: damage.name, message, action }];
}

export function lateRollUps(ctx: Context): Warning[] {
  const lag = ctx.columns.maintenance.rollUpLag();
  if (!lag.isLong) return [];
  const message = `The hourly roll-ups have been behind for ${Math.floor(lag.seconds / 3600)} hours; ${lag.profiles.toLocaleString("en")} profiles are not in them. Figures are correct, but long ranges are slow and may fail.`;
  const action =
    "If the log reports a failed hourly roll-up, correct its cause. Otherwise give the server more CPU, or send fewer profiles. The warning clears when the roll-ups have caught up.";
  return [{ name: rollUps.name, message, action }];
}

/** Removed days are gone although nobody asked for it; where other files fill the disk, more would follow. */
export function spaceWarnings({ spaceFreed: { latest } }: Context): Warning[] {
  if (latest === undefined) return [];
  const { days, ownBytes, otherBytes } = latest;
  const sizes = `Profiles take ${gigabytes(ownBytes)} of this disk, other files ${gigabytes(otherBytes)}; ${gigabytes(latest.freeBytes)} were free of the ${gigabytes(latest.wantedBytes)} in RETENTION_FREE_GB.`;
  if (days.length === 0) {
    const message = `Removing all days before today would not free enough, so nothing was removed. ${sizes}`;
    const action =
      "Find the files that fill the disk, enlarge the disk, or lower RETENTION_FREE_GB. The warning clears when enough is free.";
    return [{ name: unfreed.name, message, action }];
  }
  const removed = days.length === 1 ? days[0]! : `${days[0]} to ${days.at(-1)}`;
  const message = `The days ${removed} of all organizations were removed to free space. ${sizes}`;
  const action =
    "If other files fill the disk, move them away: more days follow otherwise. Else enlarge the disk, or lower RETENTION_DAYS. The warning clears a day after the last removal.";
  return [{ name: early.name, message, action }];
}

/** Uploads go on meanwhile, and take the disk's space. */
export function unusableObjects({ payloads: { moved } }: Context): Warning[] {
  const { url, bytes, waitingBytes, fault } = moved?.() ?? {};
  if (fault === undefined) return [];
  const message = `Object storage ${url} cannot be used since ${fault.since.toISOString()}: ${fault.message} ${gigabytes(bytes ?? 0)} of original bytes are there, and ${gigabytes(waitingBytes ?? 0)} wait on the disk of DATA_DIR.`;
  const action =
    "Correct the cause; no restart is needed. Until then profiles whose bytes are there cannot be opened, services cannot be deleted, and the disk fills. The warning clears within five minutes.";
  return [{ name: objects.name, message, action }];
}

function gigabytes(bytes: number): string {
  return `${(bytes / 2 ** 30).toFixed(1)} GB`;
}

/** @param peers addresses that recently sent X-Forwarded-For and are not in TRUSTED_PROXIES */
export function untrustedProxies(peers: readonly string[]): Warning[] {
  if (peers.length === 0) return [];
  const message = `X-Forwarded-For came from ${peers.join(", ")}, which TRUSTED_PROXIES does not list: everyone behind it shares one address, and one limit on failed sign-ins.`;
  const action = `If that is your reverse proxy, set TRUSTED_PROXIES=${peers.join(",")} and start the server again. Otherwise find the program there that sends the header. The warning clears an hour after the last such request.`;
  return [{ name: proxies.name, message, action }];
}

function countParts(parts: readonly { readonly table: string }[]): string {
  const tables = [...new Set(parts.map(({ table }) => table))].join(", ");
  return `${parts.length === 1 ? "1 damaged part" : `${parts.length} damaged parts`} (${tables})`;
}

/** The warnings for everybody but the operator. */
export function withoutDetails(warnings: readonly Warning[]): Warning[] {
  return kinds
    .filter(({ name }) => warnings.some((warning) => warning.name === name))
    .map(({ name, forOthers }) => ({ name, message: forOthers }));
}
