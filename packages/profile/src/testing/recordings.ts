import { readdirSync, readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";

// Reads `examples/recordings`: profiles recorded for the tests, with what `go tool pprof` finds in them.

const folder = new URL("../../../../examples/recordings/", import.meta.url);

/** A function's name, self and total value. */
export type FunctionTruth = readonly [name: string, self: number, total: number];

export interface TypeTruth {
  readonly type: string;
  readonly unit: string;
  /** In digits: some are beyond 2^53. */
  readonly total: string;
  /** Nodes of the call tree by function name, the root not counted. */
  readonly treeNodes: number;
  readonly functions: readonly FunctionTruth[];
}

export interface ProfileTruth {
  readonly samples: number;
  readonly depth: number;
  readonly types: readonly TypeTruth[];
}

interface Refusal {
  readonly refused: string;
}

const profileFolders = ["go1.26", "go1.19", "sdk", "recipes"] as const;

function truthFile<T>(name: string): T {
  return JSON.parse(gunzipSync(readFileSync(new URL(`truth/${name}.json.gz`, folder))).toString());
}

export function recordedFile(file: string): Buffer {
  return readFileSync(new URL(file, folder));
}

/** The recorded profile as pprof bytes; null if its gzip is damaged. */
export function inflatedRecording(file: string): Uint8Array | null {
  const bytes = recordedFile(file);
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes;
  try {
    return new Uint8Array(gunzipSync(bytes));
  } catch {
    return null;
  }
}

function truthsByFile(): [file: string, truth: ProfileTruth | Refusal][] {
  return profileFolders.flatMap((name) =>
    Object.entries(truthFile<Record<string, ProfileTruth | Refusal>>(name)),
  );
}

/** Every profile that Go's parser reads. */
export function recordedProfiles(): { readonly file: string; readonly truth: ProfileTruth }[] {
  return truthsByFile().flatMap(([file, truth]) => ("refused" in truth ? [] : [{ file, truth }]));
}

/** Every file that Go's parser refuses. */
export function refusedRecordings(): string[] {
  return truthsByFile().flatMap(([file, truth]) => ("refused" in truth ? [file] : []));
}

/** Go's findings in several profiles merged, or in the second minus the first: with `-base`, and with `-diff_base`. */
export function combinedRecordings(
  kind: "merged" | "subtracted" | "compared",
): (ProfileTruth & { readonly files: readonly string[] })[] {
  return truthFile(kind);
}

/** Go's findings in the stacks that an option of `go tool pprof` leaves of a profile, or of the second minus the first. */
export interface PartTruth {
  readonly files: readonly string[];
  readonly sampleIndex: number;
  readonly option: "focus" | "ignore" | "hide" | "show";
  readonly pattern: string;
  readonly functions: readonly FunctionTruth[];
}

export function partsOfRecordings(): PartTruth[] {
  return truthFile("parts");
}

/** Functions named `NAME FILE`, as `go tool pprof -filefunctions` tells them apart. */
interface FileFunctionsTruth {
  readonly file: string;
  readonly sampleIndex: number;
  readonly functions: readonly FunctionTruth[];
}

export function fileFunctionsOfRecordings(): FileFunctionsTruth[] {
  return truthFile("filefunctions");
}

/** Functions with the values of their calls, as `go tool pprof -peek` finds them. */
export interface PeekTruth {
  readonly name: string;
  readonly total: number;
  readonly callers: readonly (readonly [name: string, value: number])[];
  readonly callees: readonly (readonly [name: string, value: number])[];
}

export function peeksOfRecordings(): {
  readonly file: string;
  readonly sampleIndex: number;
  readonly functions: readonly PeekTruth[];
}[] {
  return truthFile("peeked");
}

/** The functions that `-tagfocus` leaves for each value of the labels of a profile; their self values sum to the total of `-tags`. */
export function labelsOfRecordings(): {
  readonly file: string;
  readonly sampleIndex: number;
  readonly values: readonly {
    readonly key: string;
    readonly value: string;
    readonly total: number;
    readonly functions: readonly FunctionTruth[];
  }[];
}[] {
  return truthFile("labels");
}

export interface CapturedRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** Requests of an unmodified SDK, in order; `sdk` is a folder of `examples/recordings/requests`. */
export function capturedRequests(sdk: string): CapturedRequest[] {
  const names = readdirSync(new URL(`requests/${sdk}/`, folder)).sort();
  return names.map((name) => {
    const { url, headers, body } = JSON.parse(recordedFile(`requests/${sdk}/${name}`).toString());
    return { url, headers, body: Buffer.from(body, "base64") };
  });
}
