import type { Copied, FileTree } from "./file-trees.ts";
import type { BackedUpFile, ListedFile, Manifest } from "./manifest.ts";

/** One backup. */
export interface BackupSource extends Disposable {
  /** Its folder or address, for messages. */
  readonly place: string;
  /** Files to read at the same time. */
  readonly atOnce: number;
  /** Throws StoreRefused if the backup is missing or damaged. */
  manifest(): Promise<Manifest>;
  /** Reads a file of the backup, and writes it to `to`; `syncTree` follows. Undefined if it is missing. */
  read(file: ListedFile, to?: string): Promise<Copied | undefined>;
  /** The file's name for operators. */
  nameOf(file: ListedFile): string;
}

/** All backups of a server. */
export interface BackupTarget extends Disposable {
  /** The folder or address, for messages. */
  readonly place: string;
  /** Names of the complete backups, the latest at the end. */
  names(): Promise<readonly string[]>;
  source(name: string): BackupSource;
  /** Throws StoreRefused if another backup runs, or if the place is unsuitable. */
  lock(dataDir: string): Promise<LockedTarget>;
}

/** Until it is disposed of, no other backup is made or removed. */
interface LockedTarget extends AsyncDisposable {
  /** The folder on the disk that may be full. */
  readonly disk: string;
  begin(beginning: BackupBeginning): Promise<BackupWriter>;
  /** Removes all but the latest backups, and what interrupted ones have left. Returns the names of removed backups. */
  clear(keep: number): Promise<readonly string[]>;
}

export interface BackupBeginning {
  readonly name: string;
  /** The backup before. */
  readonly before: string | undefined;
  /** The folder whose files are to be backed up. */
  readonly from: string;
  readonly tree: FileTree;
}

export interface BackupWriter {
  /** Files to add at the same time. */
  readonly atOnce: number;
  /** Makes a file of the backup before a part of this one. Returns whether it was still there. */
  share(file: BackedUpFile): Promise<boolean>;
  add(path: string): Promise<Added>;
  /** Adds a file that is made for the backup. */
  addMade(path: string, make: (to: string) => Promise<void>): Promise<Added>;
  /** The backup exists once this resolves. */
  finish(manifest: Manifest): Promise<void>;
  abandon(): Promise<void>;
}

export interface Added extends Copied {
  /** Whether the same bytes were there before. */
  readonly isShared: boolean;
}

const backupName = /^\d{4}-\d{2}-\d{2}T\d{2}-\d{2}-\d{2}Z$/;

export const backupNameAt = (time: Date) => time.toISOString().replace(/\.\d+/, "").replaceAll(":", "-");
export const isBackupName = (text: string) => backupName.test(text);
