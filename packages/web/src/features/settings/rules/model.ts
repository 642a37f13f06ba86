import {
  type AlertRule,
  type AlertRuleBody,
  type GraphType,
  type ProfileType,
  profileTypeEntry,
  profileTypes,
  type RulePreview,
  type RuleSignal,
  storedTypeOf,
} from "@flamekeep/contract";
import { capitalized, profileTypeLabel } from "#format/names.ts";
import { plural } from "#format/number.ts";
import { sampleTypeLabel } from "#format/sample-value.ts";

/** A word for a unit, and how many of the rule's unit it is. */
export interface UnitWord {
  readonly word: string;
  readonly factor: number;
}

/** Values that a rule can watch. */
export interface SignalOption {
  /** The same for the same values: `memory inuse_space/bytes`, or the signal of requests. */
  readonly value: string;
  readonly label: string;
  readonly signal: RuleSignal;
  readonly profileType: ProfileType | null;
  readonly sampleType: string | null;
}

function ofProfiles(profileType: ProfileType, sampleType: string, label?: string): SignalOption {
  const name = sampleType.slice(0, sampleType.lastIndexOf("/"));
  return {
    value: `${profileType} ${sampleType}`,
    label: label ?? `${profileTypeLabel(profileType)}: ${sampleTypeLabel(name)}`,
    signal: "profile",
    profileType,
    sampleType,
  };
}

function ofRequests(signal: RuleSignal, label: string): SignalOption {
  return { value: signal, label, signal, profileType: null, sampleType: null };
}

/** The signals of Go programs; the signals of a service are added. */
export const usualSignals: readonly SignalOption[] = [
  ...profileTypes.flatMap((type) =>
    (profileTypeEntry(type).alerts ?? []).flatMap(({ sampleType, name, isFault }) =>
      name === undefined || isFault ? [] : [ofProfiles(type, sampleType, capitalized(name))],
    ),
  ),
  ofRequests("http_p95", "p95 of requests"),
  ofRequests("http_error_rate", "Error rate (5xx)"),
  ofRequests("http_request_rate", "Request rate"),
];

interface ChartTypes {
  readonly type: GraphType;
  readonly sample_types: readonly string[];
}

/** The usual signals, then the other sample types of the service, and the one of the rule. */
export function signalsOf(charts: readonly ChartTypes[], chosen?: SignalOption): readonly SignalOption[] {
  const all = [...usualSignals];
  const add = (option: SignalOption) => {
    if (!all.some(({ value }) => value === option.value)) all.push(option);
  };
  for (const { type, sample_types: sampleTypes } of charts) {
    for (const each of sampleTypes) add(ofProfiles(storedTypeOf(type), each));
  }
  if (chosen !== undefined) add(chosen);
  return all;
}

type RuleSeries = Pick<AlertRule, "signal" | "profile_type" | "sample_type">;

export function signalOf({ signal, profile_type: type, sample_type: sampleType }: RuleSeries): SignalOption {
  const value = type === null || sampleType === null ? signal : `${type} ${sampleType}`;
  const usual = usualSignals.find((each) => each.value === value);
  if (usual !== undefined) return usual;
  return type === null || sampleType === null ? ofRequests(signal, signal) : ofProfiles(type, sampleType);
}

const perSecond = " per second";
const bytes = [
  { word: "MB", factor: 2 ** 20 },
  { word: "GB", factor: 2 ** 30 },
];
const nanoseconds = [
  { word: "ms", factor: 1e6 },
  { word: "s", factor: 1e9 },
];
const words: Readonly<Record<string, readonly UnitWord[]>> = {
  bytes,
  nanoseconds,
  seconds: [
    { word: "ms", factor: 0.001 },
    { word: "s", factor: 1 },
  ],
  ratio: [{ word: "%", factor: 0.01 }],
};

/** The words for the unit of a signal, the most likely one first. 1 MB is 2^20 bytes, as in charts. */
export function unitWords({ signal, profileType }: SignalOption, unit: string): readonly UnitWord[] {
  if (signal === "http_request_rate") return [{ word: "requests each second", factor: 1 }];
  const isRate = unit.endsWith(perSecond);
  const base = isRate ? unit.slice(0, -perSecond.length) : unit;
  if (profileType === "cpu" && isRate && base === "nanoseconds") return [{ word: "cores", factor: 1e9 }];
  if (profileType === "goroutine" && unit === "count") return [{ word: "goroutines", factor: 1 }];
  const found = words[base] ?? [{ word: base, factor: 1 }];
  return isRate ? found.map(({ word, factor }) => ({ word: `${word} each second`, factor })) : found;
}

/** The unit of a signal before the server has said it. */
export function likelyUnit({ signal, profileType, sampleType }: SignalOption): string {
  if (signal === "http_p95") return "seconds";
  if (signal === "http_error_rate") return "ratio";
  if (signal === "http_request_rate") return "requests per second";
  const unit = (sampleType ?? "").split("/").at(-1) ?? "";
  const isGauge =
    (profileType !== null && profileTypeEntry(profileType).kind === "gauge") ||
    /^inuse_/.test(sampleType ?? "") ||
    profileType === "custom";
  return isGauge ? unit : `${unit}${perSecond}`;
}

/** The largest word in which the value is at least 1, so that 2 GB are not 2,048 MB. */
export function bestWord(value: number, from: readonly UnitWord[]): UnitWord {
  const fitting = from.filter(({ factor }) => value >= factor);
  return fitting.at(-1) ?? from[0] ?? { word: "", factor: 1 };
}

/** `2 GB`, `1.5 cores`: exactly the threshold that was set. */
function thresholdText(rule: Pick<AlertRule, "threshold" | "unit"> & RuleSeries): string {
  const { word, factor } = bestWord(rule.threshold, unitWords(signalOf(rule), rule.unit));
  const number = numberText(rule.threshold / factor);
  if (word === "%") return `${number}%`;
  return `${number} ${number === "1" && word.endsWith("s") && word !== "s" && word !== "ms" ? word.slice(0, -1) : word}`;
}

/** Without the error of binary fractions: 1.1 GB is not 1.1000000000931323. */
export function numberText(value: number): string {
  return String(Number(value.toPrecision(12)));
}

/** `Memory in use above 2 GB for 10 minutes` */
export function conditionText(
  rule: RuleSeries & Pick<AlertRule, "threshold" | "unit" | "comparison" | "minutes">,
): string {
  return `${signalOf(rule).label} ${rule.comparison} ${thresholdText(rule)} for ${plural(rule.minutes, "minute")}`;
}

/** The fields that an update sends, changed or not. */
export function bodyOf(rule: AlertRule): AlertRuleBody {
  const { id, unit, is_firing, created_by, created_at, ...body } = rule;
  return body;
}

/** `In the last 7 days this rule would have opened 2 alerts.` */
export function previewText({ alerts_total: total, minutes_with_values: count }: RulePreview): string {
  if (count === 0) return "No values in the last 7 days.";
  if (total === 0) return "In the last 7 days this rule would have opened no alert.";
  return `In the last 7 days this rule would have opened ${plural(total, "alert")}.`;
}

/** A number greater than or equal to zero, with a comma or a point; undefined for another text. */
export function toNumber(text: string): number | undefined {
  const trimmed = text.trim().replace(",", ".");
  const value = Number(trimmed);
  return trimmed === "" || !Number.isFinite(value) || value < 0 ? undefined : value;
}
