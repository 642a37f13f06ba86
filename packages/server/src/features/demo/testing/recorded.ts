import { readFile } from "node:fs/promises";
import { gunzipSync } from "node:zlib";
import { type Manifest, readManifest, recordedFolder } from "../manifest.ts";

export interface RecordedProfile {
  readonly path: string;
  readonly raw: Uint8Array;
}

/** Inflated, in the order of the manifest. */
export async function recordedProfiles(service: string, variant: string): Promise<RecordedProfile[]> {
  const { recordings } = await readManifest();
  const files = recordings.find((one) => one.service === service && one.variant === variant)?.files ?? [];
  return Promise.all(
    files
      .filter(({ type }) => type !== "metrics")
      .map(async ({ path }) => ({ path, raw: await inflated(path) })),
  );
}

export async function inflated(path: string): Promise<Uint8Array> {
  return gunzipSync(await readFile(new URL(path, recordedFolder)));
}

export function filesOf(manifest: Manifest) {
  return manifest.recordings.flatMap((recording) => recording.files.map((file) => ({ ...file, recording })));
}
