import type { StoreLog } from "#store/log.ts";
import { StoreDamaged } from "#store/unavailable.ts";

/**
 * Error codes of ClickHouse for damaged bytes of a definition or of a table
 * (ErrorCodes.cpp): ATTEMPT_TO_READ_AFTER_EOF, CANNOT_READ_ALL_DATA, CHECKSUM_DOESNT_MATCH, CORRUPTED_DATA,
 * CANNOT_DECOMPRESS.
 */
export const damageCodes: ReadonlySet<number> = new Set([32, 33, 40, 246, 271]);

/** Codes for a file that cannot be opened: CANNOT_OPEN_FILE, FILE_DOESNT_EXIST, STD_EXCEPTION of a file system. */
const missingFileCodes: ReadonlySet<number> = new Set([76, 107, 1001]);
/** A file of a part has a path like `store/ABC/TABLE_ID/PART/`. */
const partFile = /\/store\/[0-9a-f]{3}\/([0-9a-f-]{36})\/([^/\s]+_\d+_\d+_\d+(?:_\d+)?)\//;

/** A part of a table that a read found damaged. */
export interface DamagedPart {
  /** Its name, or its id if the engine's error contains only a path. */
  readonly table: string;
  readonly part: string;
}

/**
 * The damaged part that an exception names; undefined if it names none. The codes alone are not enough: inserted rows that
 * cannot be decoded cause the same codes.
 */
export function damagedPartOf(code: number, message: string): DamagedPart | undefined {
  // A file that cannot be created is not missing.
  if (message.includes("Read-only file system")) return undefined;
  if (missingFileCodes.has(code)) {
    const [, table, part] = partFile.exec(message) ?? [];
    return part === undefined || table === undefined ? undefined : { table, part };
  }
  if (!damageCodes.has(code)) return undefined;
  const named = /while reading from part (\S+) in table (\S+)/i.exec(message);
  // The rows of a part that are stored in a second order have a folder in that of the part.
  const part = named?.[1]?.split("/").findLast((name) => name !== "" && !name.endsWith(".proj"));
  const table = named?.[2]?.split(".").at(-1);
  return part === undefined || table === undefined ? undefined : { table, part };
}

const partsMax = 1000;

/** Parts that reads found damaged since the start. The first read of each one is logged. */
export class DamagedParts {
  readonly #log: StoreLog;
  readonly #parts = new Map<string, DamagedPart>();

  constructor(log: StoreLog) {
    this.#log = log;
  }

  list(): readonly DamagedPart[] {
    return [...this.#parts.values()];
  }

  /** Runs an operation and records the damaged part that it fails on. */
  async recording<T>(operation: () => Promise<T>): Promise<T> {
    try {
      return await operation();
    } catch (error) {
      if (error instanceof StoreDamaged) this.#note(error);
      throw error;
    }
  }

  #note({ damage: { table, part }, message }: StoreDamaged): void {
    const key = `${table} ${part}`;
    if (this.#parts.has(key) || this.#parts.size >= partsMax) return;
    this.#parts.set(key, { table, part });
    this.#log.error(
      { table, part, reason: message },
      "THE COLUMN STORE HAS A DAMAGED PART. Reads that need its rows fail. Stop the server and put a backup of the data folder in place.",
    );
  }
}
