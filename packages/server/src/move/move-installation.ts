import { readdir, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { secretFile } from "#backup/hold-stores.ts";
import type { Config } from "#config";
import { ignoreMissing, makeFolder } from "#store/data-folder.ts";
import { StoreRefused } from "#store/unavailable.ts";
import { moveInto, noteMove } from "#store/unfinished-move.ts";
import { copyOrganization } from "./copy-organization.ts";
import { copyRowStore } from "./copy-row-store.ts";
import type { Stores } from "./export-organization.ts";
import { differences, type Figure, figuresOf } from "./figures.ts";
import { organizationsOf, rawRows } from "./raw-rows.ts";

export interface MovedOrganization {
  readonly name: string;
  readonly figures: readonly Figure[];
  /** Profiles that the target did not have before. */
  readonly added: number;
  readonly withoutOriginal: number;
  /** A sentence for each count or total that is not the same. */
  readonly differences: readonly string[];
}

/** Makes the data folder of the target, with the secret of the present one. Returns whether an earlier run began the move. */
export async function prepareTarget(
  from: Pick<Config, "dataDir">,
  to: Pick<Config, "dataDir">,
  authSecret: string,
): Promise<boolean> {
  if (resolve(from.dataDir) === resolve(to.dataDir))
    throw new StoreRefused("TO_DATA_DIR is the present data folder: name another one, which is empty.");
  const isContinued = (await moveInto(to.dataDir)) !== undefined;
  const names = (await readdir(to.dataDir).catch(ignoreMissing)) ?? [];
  if (!isContinued && names.some((name) => name !== "lost+found"))
    throw new StoreRefused(
      `${to.dataDir} is not empty, and nothing was moving into it: set TO_DATA_DIR to an empty folder.`,
    );
  await makeFolder(to.dataDir);
  await noteMove(to.dataDir, "begun");
  await writeFile(join(to.dataDir, secretFile), `${authSecret}\n`, { mode: 0o600, flush: true });
  return isContinued;
}

/**
 * Copies all organizations, and everything of the row store, which then has the same rows as that of `from`. Profiles of the
 * target stay, so that a further run brings what came meanwhile. The demo is left out: servers make it. Throws StoreRefused.
 */
export async function moveInstallation(
  from: Stores,
  to: Stores,
  isContinued: boolean,
  progress: (line: string) => void,
): Promise<MovedOrganization[]> {
  const organizations = await organizationsOf(rawRows(from.rows));
  await refuseForeign(to, new Set(organizations.map(({ id }) => id)), isContinued);
  const moved: MovedOrganization[] = [];
  for (const { id, name } of organizations) {
    progress(`${name} (${id})`);
    const copied = await copyOrganization(from, to, id, progress);
    const figures = await figuresOf(from.columns.direct, id);
    const wrong = differences(figures, await figuresOf(to.columns.direct, id));
    const { profiles: added, withoutOriginal } = copied;
    moved.push({ name, figures, added, withoutOriginal, differences: wrong });
  }
  progress("Accounts, settings, alerts, analyses");
  await copyRowStore(from.rows, to.rows);
  return moved;
}

/** A database that is in use would lose what people did there. */
async function refuseForeign(
  to: Pick<Stores, "rows">,
  known: ReadonlySet<string>,
  isContinued: boolean,
): Promise<void> {
  const found = await organizationsOf(rawRows(to.rows));
  if (found.length === 0 || (isContinued && found.every(({ id }) => known.has(id)))) return;
  throw new StoreRefused(
    `The database of the target has organizations already, such as ${found[0]!.name}: its rows would be replaced. Use an empty database.`,
  );
}
