import type { SentProfileType } from "@flamekeep/contract";
import type { FastifyRequest } from "fastify";

/** A profile as it was sent, with what its sender says about it. */
export interface Upload {
  readonly service: string;
  /** As the sender named it; undefined: derived from the content. */
  readonly type: SentProfileType | undefined;
  /** A name that decides the type where the content leaves it open: of a file, or a sample type's display name. */
  readonly nameHint: string | undefined;
  readonly startedAtMs: number | undefined;
  /** For profiles that do not say how long they took; 0 where unknown. */
  readonly durationNs: bigint;
  readonly tags: Iterable<readonly [string, string]>;
  /** Further facts that the request names, for the column `facts`. */
  readonly extraFacts: ReadonlyMap<string, string>;
  /** A person opens a file: its time decides nothing where the organization keeps no such time. */
  readonly isOpened?: boolean;
  /** The sender says that it subtracts: counters are deltas already. */
  readonly isDelta: boolean;
  readonly sender: "api" | "pyroscope" | "push" | "otlp" | "datadog" | "coroot";
  /** gzip, zstd or plain, or one of them within another: see `inflateUpload`. */
  readonly body: Uint8Array;
}

/** Query parameters as Fastify parses them: a repeated name is a list. */
export type Query = Readonly<Record<string, string | readonly string[] | undefined>>;

export function queryOf(request: FastifyRequest): Query {
  return request.query as Query;
}

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
