/** Checks of this machine and the data folder. They open no store, so that they can run while the server does. */
import { access, constants, stat, statfs } from "node:fs/promises";
import { dirname } from "node:path";
import process from "node:process";
import { demoOrgId } from "#context";
import { memoryLimit, tooLittleMemory } from "#memory/budget.ts";
import { listQuarantined } from "#store/column/engine/opening/quarantine.ts";
import { ignoreMissing } from "#store/data-folder.ts";
import { hiddenData } from "#store/hidden-data.ts";
import { hiddenOriginals } from "#store/payloads/open-originals.ts";
import { pendingUploads } from "#store/payloads/pending-uploads.ts";
import { type Check, type Finding, failed, note, ok } from "./finding.ts";

const GiB = 2 ** 30;

export const memory: Check = {
  title: "Memory",
  async run({ config }) {
    const bytes = memoryLimit();
    const shortage = tooLittleMemory(bytes, config.columns.kind);
    return [
      shortage === undefined ? ok(`${inGiB(bytes)} for the server and its stores.`) : failed(`${shortage}.`),
    ];
  },
};

export const dataFolder: Check = {
  title: "Data folder",
  async run({ config: { dataDir, diskReserveBytes } }) {
    const existing = await nearestFolder(dataDir);
    const user = process.getuid?.();
    try {
      await access(existing, constants.R_OK | constants.W_OK | constants.X_OK);
    } catch {
      return [
        failed(
          `User ${user} cannot write ${existing}. Give the folder to the server's user, or set DATA_DIR.`,
        ),
      ];
    }
    const { bavail, bsize } = await statfs(existing);
    const freeBytes = bavail * bsize;
    const place =
      existing === dataDir ? dataDir : `${dataDir} does not exist yet; the first start creates it`;
    const free = `${place}. ${inGiB(freeBytes)} are free`;
    if (freeBytes < diskReserveBytes)
      return [
        failed(`${free}, less than DISK_RESERVE_BYTES: uploads are rejected. Make room, or move the folder.`),
      ];
    return [
      freeBytes < 10 * diskReserveBytes
        ? note(`${free}: not much. Keep fewer days with RETENTION_DAYS, or give the disk more room.`)
        : ok(`${free}.`),
      ...(existing === dataDir ? await ownership(dataDir) : []),
    ];
  },
};

/** A server that runs as another user would find files that it cannot read. */
async function ownership(dataDir: string): Promise<Finding[]> {
  const { uid } = await stat(dataDir);
  const user = process.getuid?.();
  return user === undefined || uid === user
    ? []
    : [
        note(
          `The folder belongs to user ${uid}, and this is user ${user}. Run this command as the server's user.`,
        ),
      ];
}

async function nearestFolder(path: string): Promise<string> {
  const found = await stat(path).catch(() => undefined);
  return found?.isDirectory() || path === dirname(path) ? path : nearestFolder(dirname(path));
}

export const leftovers: Check = {
  title: "Stores",
  async run({ config }) {
    const hidden = [...(await hiddenData(config, demoOrgId)), ...(await hiddenOriginals(config))];
    const quarantined =
      config.columns.kind === "embedded" ? await listQuarantined(config.dataDir).catch(ignoreMissing) : [];
    const findings = [
      ...hidden.map((sentence) => failed(`${sentence}.`)),
      ...(quarantined ?? []).map((name) =>
        note(`${name} is a column store that did not open: stop the server and run restore-quarantine.`),
      ),
    ];
    return findings.length > 0
      ? findings
      : [ok("No quarantined store, and no data in a store that is not set.")];
  },
};

/** A server that is gone for good may have acknowledged uploads that no store has. */
export const uploadLog: Check = {
  title: "Upload log",
  async run({ config: { dataDir } }) {
    const { uploads, bytes } = await pendingUploads(dataDir);
    if (uploads === 0) return [ok("Every acknowledged upload has left it for the column store.")];
    const count = `${uploads} upload${uploads === 1 ? "" : "s"}`;
    return [
      note(
        `${count} (${(bytes / 1e6).toFixed(1)} MB) may be only in ${dataDir}. A running server stores them. If its server is gone, start one with this DATA_DIR until this check is ok, before you remove the folder.`,
      ),
    ];
  },
};

function inGiB(bytes: number): string {
  return `${(bytes / GiB).toFixed(1)} GiB`;
}
