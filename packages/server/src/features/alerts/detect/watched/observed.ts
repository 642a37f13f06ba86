import type { NoiseCache } from "#alerts/detect/noise/noise-cache.ts";
import type { Series, Span } from "#alerts/detect/series/series.ts";

export interface Observed {
  readonly values: Series;
  /** Requests per minute, of minutes with requests. */
  readonly requests: Series;
  /** The series of the other profile types of the service. */
  readonly siblings: readonly Series[];
  /** Whether values are states, as memory in use, which a restart empties; else rates. */
  readonly isGauge: boolean;
  /** The smallest rise that opens an alert, in the unit of the values. */
  readonly riseMin: number;
  /** Whether any value above zero is a fault, which opens an alert at once. */
  readonly isFault?: true | undefined;
  /** When new versions of the service sent their first profile. */
  readonly releasedMs: readonly number[];
  /** The learnt noise of the series. */
  readonly noise: NoiseCache;
  /** Recent profiles by instance; none if they cannot be told apart. */
  readonly instances: readonly Instance[];
}

export interface ObservedSeries {
  readonly service: string;
  readonly type: string;
  readonly sampleType: string;
  readonly observed: Observed;
}

/** The recent profiles of one instance. */
export interface Instance {
  readonly name: string;
  /** Of its newest profile; empty if it sends none. */
  readonly version: string;
  readonly values: Series;
  /** The factor that its values were divided by, because somebody marked this level as expected. */
  readonly loweredBy?: number;
}

/** The instances that an alert is about. */
export interface Scope {
  readonly instances: readonly string[];
  /** Their new version, if that is what they have in common. */
  readonly version: string | undefined;
  /** How far they were above the others when the alert opened, as a logarithm. */
  readonly above: number;
}

export interface Comparison {
  /** Mean of the baseline, times the factor. */
  readonly previous: number;
  readonly current: number;
  /** Fraction; 0 if the baseline is 0. */
  readonly increase: number;
  readonly isSupported: boolean;
}

export interface Evaluation extends Comparison {
  readonly window: Span;
  readonly baseline: Span;
  readonly factor: number;
  /** Growth of an hour as a fraction, if the values keep growing. */
  readonly perHour: number | undefined;
  /** The means of the two ranges, if the values are those of the ends of growth: functions grew between the means. */
  readonly means?: { readonly previous: number; readonly current: number };
  /** The usual time between restarts, if values grow between them. */
  readonly restartsEveryMs?: number;
  /** When the rise began; undefined if it is read from the profiles. */
  readonly beganMs: number | undefined;
  /** The instances that it is about; all if undefined. */
  readonly scope?: Scope;
  /** How long the run takes, if it is about its length. */
  readonly run?: { readonly lastsMs: number; readonly usualMs: number };
}

export type Change =
  | { readonly kind: "opened"; readonly atMs: number; readonly evaluation: Evaluation }
  | { readonly kind: "resolved"; readonly atMs: number };
