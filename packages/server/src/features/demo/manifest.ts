import { readFile } from "node:fs/promises";
import { storedTypes } from "@flamekeep/contract";
import { z } from "zod";

const RecordedFile = z.object({
  /** Relative to the recorded folder, with slashes. */
  path: z.string().regex(/^[\w-]+\/[\w-]+\/[\w.-]+$/),
  type: z.enum(storedTypes),
  window: z.int().positive(),
  /** Since the process started, when the window opened or the snapshot was taken. */
  started_seconds: z.number().nonnegative(),
  /** 0 for snapshots. */
  duration_seconds: z.number().nonnegative(),
  delta: z.boolean(),
  bytes: z.int().positive(),
});
export type RecordedFile = z.output<typeof RecordedFile>;

const Recording = z.object({
  service: z.string().min(1),
  variant: z.enum(["before", "after"]),
  requests_per_second: z.number().positive(),
  flags: z.array(z.string()),
  tags: z.record(z.string(), z.string()),
  files: z.array(RecordedFile).min(1),
});
export type Recording = z.output<typeof Recording>;

const Manifest = z.object({ window_seconds: z.number().positive(), recordings: z.array(Recording).min(1) });
export type Manifest = z.output<typeof Manifest>;

/** The recordings of `examples/shop`: profiles and HTTP metrics of four services, some before and after a release. */
export const recordedFolder = new URL("../../../../../examples/shop/recorded/", import.meta.url);

/** The index of the recorded set. Throws if it is missing or does not match the schema. */
export async function readManifest(folder: URL = recordedFolder): Promise<Manifest> {
  return Manifest.parse(JSON.parse(await readFile(new URL("manifest.json", folder), "utf8")));
}
