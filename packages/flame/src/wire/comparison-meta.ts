import { FlameGraphFormatError } from "./byte-reader.ts";
import { decodeWith, type FlameGraph } from "./decode.ts";
import { areNumbers, areTexts, asObject, type Fields, isFactor, isTextList } from "./read-meta.ts";

/** A comparison has the format of `flameGraphMediaType`, with a column for each side and other facts. */
export const comparisonMediaType = "application/vnd.flamekeep.flamegraph-diff.v3";

/** The profiles of one side. */
export interface SideMeta {
  /** The id of a single profile; null for a range. */
  readonly profileId: string | null;
  readonly service: string;
  /** ISO 8601, included. */
  readonly from: string;
  /** ISO 8601, not included. */
  readonly to: string;
  readonly tags: Readonly<Record<string, string>>;
  /** The labels that the samples have; an empty value means without the label. Absent for all samples. */
  readonly labels?: Readonly<Record<string, string>>;
  readonly profiles: number;
  readonly durationMs: number;
  readonly total: number;
}

const normalisationUnits = ["request", "second", "profile"] as const;

/** Divisors that make the values of both sides comparable. */
export interface Normalisation {
  readonly per: (typeof normalisationUnits)[number];
  readonly before: number;
  readonly after: number;
}

export interface ComparisonMeta {
  readonly type: string;
  /** Changes with the comparison. */
  readonly hash: string;
  /** The sample types of both sides as `type/unit`, to choose from. */
  readonly sampleTypes: readonly string[];
  /** Values of gauges are the mean over the profiles of a side; of all else the sum. */
  readonly aggregation: "sum" | "mean";
  readonly before: SideMeta;
  readonly after: SideMeta;
  /** The first one is the default. */
  readonly normalisations: readonly [Normalisation, ...Normalisation[]];
  /** Why nothing is per request; null if there is such a normalisation. */
  readonly noRequests: string | null;
}

/** As `decodeFlameGraph`, of a comparison. */
export function decodeComparison(bytes: Uint8Array): FlameGraph<ComparisonMeta> {
  const graph = decodeWith(bytes, readComparisonMeta);
  if (graph.tree.columns.length !== 2) throw new FlameGraphFormatError("no two sides", 0);
  return graph;
}

function readComparisonMeta(fields: Fields, fail: (problem: string) => never): ComparisonMeta {
  const { type, hash, sampleTypes, aggregation, before, after, normalisations, noRequests } = fields;
  const isComplete =
    areTexts(type, hash) &&
    isTextList(sampleTypes) &&
    (aggregation === "sum" || aggregation === "mean") &&
    isSide(before) &&
    isSide(after) &&
    Array.isArray(normalisations) &&
    normalisations.length > 0 &&
    normalisations.every(isNormalisation) &&
    (noRequests === null || areTexts(noRequests));
  return isComplete ? (fields as unknown as ComparisonMeta) : fail("meta of the comparison is incomplete");
}

function isNormalisation(value: unknown): boolean {
  const fields = asObject(value);
  return (
    isFactor(fields?.before) &&
    isFactor(fields?.after) &&
    (normalisationUnits as readonly unknown[]).includes(fields?.per)
  );
}

function isSide(value: unknown): boolean {
  const fields = asObject(value);
  if (fields === undefined) return false;
  const { profileId, service, from, to, tags, profiles, durationMs, total } = fields;
  return (
    (profileId === null || areTexts(profileId)) &&
    areTexts(service, from, to, ...Object.values(asObject(tags) ?? [undefined])) &&
    areNumbers(profiles, durationMs, total)
  );
}
