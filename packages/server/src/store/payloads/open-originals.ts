import { join } from "node:path";
import type { ObjectStorageConfig } from "#store/objects/object-store.ts";
import { openObjects, parseObjectUrl } from "#store/objects/open-objects.ts";
import type { ObjectsForOriginals } from "./object-moves.ts";
import { segmentsElsewhere, uploadsFolder } from "./segment-file.ts";

export interface OriginalsConfig {
  readonly objectStorage: ObjectStorageConfig;
  readonly originals: { readonly url: string; readonly localHours: number } | undefined;
}

/** Undefined without ORIGINALS_URL. The payload log closes it. */
export async function openOriginals({
  objectStorage,
  originals,
}: OriginalsConfig): Promise<ObjectsForOriginals | undefined> {
  if (originals === undefined) return undefined;
  const store = await openObjects(objectStorage, parseObjectUrl(originals.url));
  return { store, localHours: originals.localHours };
}

/** As `hiddenData`: original bytes that a start with these settings would not find. */
export async function hiddenOriginals({
  dataDir,
  originals,
}: { readonly dataDir: string } & Pick<OriginalsConfig, "originals">): Promise<string[]> {
  if (originals !== undefined) return [];
  for await (const _ of segmentsElsewhere(join(dataDir, uploadsFolder)))
    return [
      `ORIGINALS_URL is not set, but the original bytes of ${dataDir} are in object storage, and would not be found: set ORIGINALS_URL as before, or copy the objects into ${join(dataDir, uploadsFolder)} (docs/guide/operate.md)`,
    ];
  return [];
}
