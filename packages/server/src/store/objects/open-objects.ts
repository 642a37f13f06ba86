import { StoreRefused } from "#store/unavailable.ts";
import type { ObjectLocation, ObjectStorageConfig, ObjectStore } from "./object-store.ts";

export const isObjectUrl = (text: string): boolean => text.startsWith("s3:");

/** `s3://BUCKET/PREFIX`. */
export const objectUrlForm = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/([^?#]*))?$/i;

/** Throws StoreRefused. */
export function parseObjectUrl(text: string): ObjectLocation {
  const [, bucket, path = ""] = objectUrlForm.exec(text) ?? [];
  if (bucket === undefined)
    throw new StoreRefused(`${text} is no address of object storage: it must be as s3://BUCKET/PREFIX.`);
  const names = path.split("/").filter((name) => name !== "");
  return { bucket, prefix: names.map((name) => `${name}/`).join("") };
}

/** Loads the client library, which is large. */
export async function openObjects(
  config: ObjectStorageConfig,
  location: ObjectLocation,
): Promise<ObjectStore> {
  const { openS3 } = await import("./s3-objects.ts");
  return openS3(config, location);
}
