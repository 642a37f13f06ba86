import { createHash } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { dirname, isAbsolute, join, normalize } from "node:path";
import { z } from "zod";
import { StoreRefused } from "#store/unavailable.ts";

/** In the folder of each backup. Written last: a folder without it is no backup. */
const manifestFile = "backup.json";
const format = 1;

export const Sha256 = z.string().regex(/^[0-9a-f]{64}$/);

/** A file in a folder with a list of its files. */
export const ListedFile = z.strictObject({
  /** Relative to the folder. */
  path: z.string().refine((path) => isInside(path) && !path.includes("\0")),
  bytes: z.int().min(0),
  sha256: Sha256,
});
export type ListedFile = z.output<typeof ListedFile>;

const BackedUpFile = ListedFile.extend({
  /** When the file was changed in the data folder. */
  modifiedMs: z.number(),
});
export type BackedUpFile = z.output<typeof BackedUpFile>;

/** The column store has symbolic links from one of its folders to another. */
const SymbolicLink = z
  .strictObject({ path: BackedUpFile.shape.path, target: z.string() })
  .refine(({ path, target }) => staysInside(path, target));
export type SymbolicLink = z.output<typeof SymbolicLink>;

const Manifest = z.strictObject({
  format: z.literal(format),
  version: z.string(),
  /** Everything that was acknowledged before is in the backup. */
  begunAt: z.iso.datetime(),
  columns: z.enum(["embedded", "url"]),
  rows: z.enum(["sqlite", "postgres"]),
  /** Whether the secret that signs and encrypts is in the setting AUTH_SECRET, and so not in the backup. */
  isSecretInSettings: z.boolean(),
  /** The beginning of the secret's SHA-256: another secret has another one, and it does not help to guess the secret. */
  secretMark: z.string(),
  files: z.array(BackedUpFile),
  symbolicLinks: z.array(SymbolicLink),
});
export type Manifest = z.output<typeof Manifest>;

export const newManifest = (facts: Omit<Manifest, "format">): Manifest => ({ format, ...facts });

export function writeManifest(folder: string, manifest: Manifest): Promise<void> {
  return writeList(join(folder, manifestFile), manifest);
}

/** Written last: a folder without it is not complete. */
export async function writeList(path: string, list: unknown): Promise<void> {
  await writeFile(path, JSON.stringify(list), { mode: 0o600, flush: true });
}

/** Throws StoreRefused if the folder holds no complete backup. */
export async function readManifest(folder: string): Promise<Manifest> {
  const path = join(folder, manifestFile);
  const isMissing = `${folder} is no backup: it has no ${manifestFile}. Name the folder of one backup, such as DIR/2026-11-30T02-00-00Z.`;
  return toManifest(await readList(path, isMissing), path);
}

/** Throws StoreRefused that names the place if the value is not the content of a manifest. */
export function toManifest(value: unknown, place: string): Manifest {
  const manifest = Manifest.safeParse(value);
  if (manifest.success && !leadsThroughLink(manifest.data)) return manifest.data;
  throw new StoreRefused(
    `${place} is damaged, or from a later version of Flamekeep: use another backup, or update Flamekeep.`,
  );
}

/**
 * The JSON of a file, undefined if it is none. Throws StoreRefused if the file cannot be read.
 *
 * @param isMissing the message where there is no such file
 */
export async function readList(path: string, isMissing: string): Promise<unknown> {
  try {
    return toJson(await readFile(path, "utf8"));
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    const words =
      code === "ENOENT" || code === "ENOTDIR"
        ? isMissing
        : `${dirname(path)} cannot be read (${code}). Give it to this user.`;
    throw new StoreRefused(words, { cause });
  }
}

/** Whether the target of a symbolic link at this path of the data folder is in the data folder too. */
export function staysInside(path: string, target: string): boolean {
  return !isAbsolute(target) && isInside(join(dirname(path), target));
}

function isInside(path: string): boolean {
  return !isAbsolute(path) && !normalize(path).split("/").includes("..");
}

/** A file below a link would be written to another place. */
function leadsThroughLink({ files, symbolicLinks }: Manifest): boolean {
  const linked = new Set(symbolicLinks.map(({ path }) => path));
  const parents = [...files, ...symbolicLinks].map(({ path }) => dirname(path));
  return parents.some((folder) => {
    for (let at = folder; at !== "."; at = dirname(at)) if (linked.has(at)) return true;
    return false;
  });
}

export function markOfSecret(secret: string): string {
  return createHash("sha256").update(secret).digest("hex").slice(0, 8);
}

/** Undefined for other texts. */
export function toJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
