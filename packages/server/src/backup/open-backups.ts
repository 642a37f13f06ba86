import { resolve } from "node:path";
import type { ObjectStorageConfig } from "#store/objects/object-store.ts";
import { isObjectUrl, openObjects, parseObjectUrl } from "#store/objects/open-objects.ts";
import { StoreRefused } from "#store/unavailable.ts";
import { type BackupSource, type BackupTarget, isBackupName } from "./backup-target.ts";
import { folderSource, folderTarget } from "./folder-target.ts";
import { objectTarget } from "./object-target.ts";

/** @param text a folder, or `s3://bucket/prefix` */
export async function openTarget(text: string, config: ObjectStorageConfig): Promise<BackupTarget> {
  if (!isObjectUrl(text)) return folderTarget(resolve(text));
  return objectTarget(await openObjects(config, parseObjectUrl(text)));
}

/**
 * One backup, or the latest of a target. Throws StoreRefused if there is none.
 *
 * @param text a folder, or `s3://bucket/prefix`, and the backup's name
 */
export async function openBackup(text: string, config: ObjectStorageConfig): Promise<BackupSource> {
  const [, parent = "", name = ""] = /^(.*?)\/([^/]+)\/*$/.exec(text) ?? [];
  if (isObjectUrl(text) && isBackupName(name)) return (await openTarget(parent, config)).source(name);
  const target = await openTarget(text, config);
  const latest = (await target.names()).at(-1);
  if (latest !== undefined) return target.source(latest);
  if (!isObjectUrl(text)) return folderSource(target.place);
  throw new StoreRefused(`${target.place} has no backup: name the bucket and prefix of npm run backup.`);
}
