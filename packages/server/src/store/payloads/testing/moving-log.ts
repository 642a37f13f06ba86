// A process that a test kills: it moves the uploads of a folder into object storage, and removes some of them.
import { openObjects } from "#store/objects/open-objects.ts";
import { openPayloadLog } from "#store/payloads/payload-log.ts";
import type { PayloadStore } from "#store/payloads/payload-store.ts";
import { quietLog } from "#store/testing/backends.ts";

interface Place {
  readonly endpoint: string;
  readonly bucket: string;
  readonly keys: { readonly accessKeyId: string; readonly secretAccessKey: string };
}

/** The log of this folder. By default it keeps nothing on the disk that it can move. */
export async function openMovingLog(dataDir: string, place: Place, localHours = 0): Promise<PayloadStore> {
  const { endpoint, bucket, keys: credentials } = place;
  const config = { endpoint, region: "eu-central-1", isPathStyle: true, credentials };
  const store = await openObjects(config, { bucket, prefix: "originals/" });
  return openPayloadLog(dataDir, quietLog, { objects: { store, localHours } });
}

/** As a start after a kill: the rows of everything that was left are stored. */
export async function recover(log: PayloadStore): Promise<void> {
  for await (const _ of log.leftBehind());
  await log.endRecovery();
}

const [, main = "", dataDir, place, orgId, ...removedIds] = process.argv;
if (import.meta.filename === main && dataDir !== undefined && place !== undefined) {
  await using log = await openMovingLog(dataDir, JSON.parse(place));
  await recover(log);
  await log.moveToObjects!();
  if (orgId !== undefined) await log.remove(orgId, removedIds);
}
