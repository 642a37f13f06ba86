import type { SentProfileType } from "@flamekeep/contract";

/** A profile as it came through a door, with what its sender says about it. */
export interface Upload {
  readonly service: string;
  /** As the sender named it; undefined: to be told from the content. */
  readonly type: SentProfileType | undefined;
  /** Where the content leaves the type open, a name that may tell (a file, a sample type's display name). */
  readonly nameHint: string | undefined;
  readonly startedAtMs: number | undefined;
  /** For profiles that do not say how long they took; 0 where unknown. */
  readonly durationNs: bigint;
  readonly tags: Iterable<readonly [string, string]>;
  /** What this door knows beside, for `facts`. */
  readonly facts: ReadonlyMap<string, string>;
  /** The sender says that it subtracts: counters are deltas already. */
  readonly isDelta: boolean;
  readonly sender: "api" | "pyroscope" | "push";
  /** gzip, zstd or plain, or one of them within another: see `inflateUpload`. */
  readonly body: Uint8Array;
}

/** Query parameters as Fastify parses them: a repeated name is a list. */
export type Query = Readonly<Record<string, string | readonly string[] | undefined>>;

/** The last value where a parameter is repeated, undefined where it is missing or empty. */
export function parameter(query: Query, name: string): string | undefined {
  const last = parameters(query, name).at(-1);
  return last === undefined || last === "" ? undefined : last;
}

/** Every value of a parameter, in the order sent. */
export function parameters(query: Query, name: string): readonly string[] {
  const value = Object.hasOwn(query, name) ? query[name] : undefined;
  if (value === undefined) return [];
  return typeof value === "string" ? [value] : value;
}
