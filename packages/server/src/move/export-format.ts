/** The files of an exported organization, which docs/operate/move.md describes. */
import { createReadStream } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { storedTypes } from "@flamekeep/contract";
import { z } from "zod";
import { ListedFile, readList, Sha256, toJson } from "#backup/manifest.ts";
import { StoreRefused } from "#store/unavailable.ts";
import type { ColumnTable } from "./column-rows.ts";
import { Figure } from "./figures.ts";

/** In the folder of each export. Written last: a folder without it is no export. */
export const exportFile = "export.json";
export const exportFormat = 1;
export const peopleFile = "rows/people.jsonl";

export const rowsFileOf = (table: string): string => `rows/${table}.jsonl`;
export const columnsFileOf = (table: ColumnTable, day: string): string => `columns/${day}/${table}.jsonl`;
export const originalsFileOf = (day: string): string => `originals/${day}.jsonl`;
/** Equal bytes of a day are one file, named after their sum. */
export const originalFileOf = (day: string, sha256: string): string => `originals/${day}/${sha256}`;

const ExportManifest = z.strictObject({
  format: z.literal(exportFormat),
  /** The version of Flamekeep that wrote it. */
  version: z.string(),
  /** Everything that was acknowledged before is in it. */
  begunAt: z.iso.datetime(),
  organization: z.strictObject({ id: z.uuid(), name: z.string() }),
  days: z.array(z.iso.date()),
  figures: z.array(Figure),
  /** Profiles without original bytes: their figures and stacks are complete. */
  withoutOriginal: z.int().min(0),
  /** All files but those of original bytes, whose sums are in the files of their days. */
  files: z.array(ListedFile),
});
export type ExportManifest = z.output<typeof ExportManifest>;

/** A line of the file of a day's originals. */
export const OriginalLine = z.strictObject({
  profile_id: z.string().regex(/^[0-9a-f]{32}$/),
  type: z.enum(storedTypes),
  /** Names the file of the original bytes; null where none are kept. */
  sha256: Sha256.nullable(),
  /** The sender's other statements; absent where they are not kept. */
  sent: z.unknown().optional(),
});
export type OriginalLine = z.output<typeof OriginalLine>;

/** Throws StoreRefused if the folder holds no complete export. */
export async function readExport(folder: string): Promise<ExportManifest> {
  const path = join(folder, exportFile);
  const isMissing = `${folder} is no export of an organization: it has no ${exportFile}. Name the folder that \`npm run export\` wrote.`;
  const manifest = ExportManifest.safeParse(await readList(path, isMissing));
  if (manifest.success) return manifest.data;
  throw new StoreRefused(
    `${path} is damaged, or from a later version of Flamekeep: export the organization again, or update Flamekeep.`,
  );
}

/** The objects of a file with one in each line. A file without lines may be missing. */
export async function* linesOf<T>(
  folder: string,
  path: string,
  { files }: Pick<ExportManifest, "files">,
  schema: z.ZodType<T>,
): AsyncGenerator<T> {
  if (!files.some((file) => file.path === path)) return;
  const lines = createInterface({ input: createReadStream(join(folder, path)), crlfDelay: Infinity });
  for await (const line of lines) {
    const parsed = schema.safeParse(toJson(line));
    if (!parsed.success)
      throw new StoreRefused(
        `${path} has a line that is no row of an export. Export the organization again.`,
      );
    yield parsed.data;
  }
}

/** Writes objects as lines. The file appears with the first one. */
export class LinesFile {
  readonly #path: string;
  #file: FileHandle | undefined;

  constructor(path: string) {
    this.#path = path;
  }

  async write(rows: readonly unknown[]): Promise<void> {
    this.#file ??= await open(this.#path, "wx", 0o600);
    for (const row of rows) await this.#file.writeFile(`${JSON.stringify(row)}\n`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#file?.close();
  }
}
