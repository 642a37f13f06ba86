/** What parent and engine process say to each other over the IPC channel. Passwords travel here, never in argv. */
export interface EngineSettings {
  /** The folder chDB owns. */
  readonly path: string;
  readonly configFile: string;
  /** For rows on their way in; emptied at each start. */
  readonly incomingFolder: string;
  readonly readerPassword: string;
  readonly writerPassword: string;
  readonly limits: ReadLimits;
}

/** Bounds of one read; a read beyond them fails, it is never cut. */
export interface ReadLimits {
  readonly executionSecondsMax: number;
  readonly memoryBytesMax: number;
  readonly resultRowsMax: number;
  readonly resultBytesMax: number;
  readonly threadsMax: number;
}

export type ToEngine =
  | { readonly kind: "start"; readonly settings: EngineSettings }
  | { readonly kind: "stop" };

export type FromEngine =
  /** The library is loaded; what fails from here on says something about the folder. */
  | { readonly kind: "opening" }
  | { readonly kind: "ready"; readonly port: number; readonly lostParts: readonly LostPart[] }
  | { readonly kind: "cannot-open"; readonly message: string };

/** A part the engine set aside because it was damaged: rows that were acknowledged and are gone. */
export interface LostPart {
  readonly table: string;
  readonly part: string;
  readonly reason: string;
}
