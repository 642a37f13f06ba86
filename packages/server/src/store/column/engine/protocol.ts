/** Messages between parent and engine process over the IPC channel. Passwords are sent here, never in argv. */
export interface EngineSettings {
  /** chDB's folder. */
  readonly path: string;
  readonly configFile: string;
  /** For rows of running inserts; emptied at each start. */
  readonly incomingFolder: string;
  readonly readerPassword: string;
  readonly writerPassword: string;
  readonly limits: ReadLimits;
}

/** Limits of one read; a read that exceeds them fails and is never truncated. */
export interface ReadLimits {
  readonly executionSecondsMax: number;
  readonly memoryBytesMax: number;
  readonly resultRowsMax: number;
  readonly resultBytesMax: number;
  readonly threadsMax: number;
}

/** Rows of a block where each has thousands of numbers. The default, 65,000, takes more memory than all queries together may use. */
export const wideBlockRows = 256;

/** The body of POST /read. */
export interface ReadRequest {
  /** Without a FORMAT clause. */
  readonly sql: string;
  /** As in the URL of ClickHouse's HTTP interface: text escaped as in TSV, arrays as literals. */
  readonly params: Readonly<Record<string, string>>;
  readonly format: ReadFormat;
  /** Its rows are wide: they are read few at a time. */
  readonly hasWideRows: boolean;
}

export type ReadFormat = "JSONEachRow" | "RowBinary";

export type ToEngine =
  | { readonly kind: "start"; readonly settings: EngineSettings }
  | { readonly kind: "stop" };

export type FromEngine =
  /** The library is loaded; from here on, errors are about the folder. */
  | { readonly kind: "opening" }
  | { readonly kind: "ready"; readonly port: number; readonly lostParts: readonly LostPart[] }
  | { readonly kind: "cannot-open"; readonly message: string };

/** A part that the engine set aside because it was damaged: its acknowledged rows are missing. */
export interface LostPart {
  readonly table: string;
  readonly part: string;
  readonly reason: string;
}
