import type { Alert } from "@flamekeep/contract";
import {
  growthAmount,
  growthSentences,
  instanceSentences,
  isFault,
  isPartialRelease,
  rangeSentences,
  releaseText,
  returnedSentences,
  runSentences,
  serviceChangeText,
  sideBySideSentences,
  silenceText,
  sinceOf,
  sinceText,
  timesText,
} from "@flamekeep/contract/alert-text";
import { isOfCode, measured, percent, quantity } from "#alert-terms";

const functionsShown = 3;
/** Functions with less of the increase are not named. */
const shareMin = 0.05;
const instancesShown = 3;

/** `From 1 core to 1.5 cores, per instance, since 2026-11-20 11:42 UTC.`, and what grew. */
export function signalLines(alert: Alert): string[] {
  if (alert.signal === "silence") return [...silenceLines(alert), ...earlierLines(alert)];
  if (isOfRule(alert)) return [...ruleLines(alert, wordingOf(alert)), ...earlierLines(alert)];
  if (isFault(alert)) return faultLines(alert);
  if (alert.signal === "function") return functionLines(alert);
  const format = { quantity: (value: number) => quantity(value, alert), time: minuteText };
  const [before, after] = [alert.previous_value, alert.current_value].map(format.quantity);
  return [
    `From ${before} to ${after}${alert.signal === undefined ? ", per instance" : ""}, since ${sinceText(alert, minuteText)}.`,
    ...rangeSentences(alert),
    ...runSentences(alert),
    ...sideBySideSentences(alert, format),
    ...earlierLines(alert),
    ...growthSentences(alert, format),
    ...instanceSentences(alert, instancesShown),
    ...culpritLines(alert),
    ...alert.functions
      .filter(({ name, share }) => share >= shareMin && name !== alert.culprit?.name && isOfCode(name))
      .slice(0, functionsShown)
      .map(({ name, share }) => `${name}: ${percent(share * 100, 0)} of the increase`),
  ];
}

/** `The last upload arrived at 2026-11-20 00:54 UTC. Before, about 240 arrived an hour.` */
function silenceLines(alert: Alert): string[] {
  return [
    `Last upload: ${minuteText(sinceOf(alert))}. Normal rate: about ${quantity(alert.previous_value, alert)}.`,
    "Next: open Senders for the instances, keys and rejected requests of the service.",
  ];
}

/** `From 0.12 cores to 0.25 cores, per instance: 2.1 times as much since ..., while checkout as a whole did not change.`, and where. */
function functionLines(alert: Alert): string[] {
  const { previous_value: before, current_value: after, culprit } = alert;
  const values = `From ${quantity(before, alert)} to ${quantity(after, alert)}, per instance`;
  const since = `since ${sinceText(alert, minuteText)}`;
  return [
    `${values}: ${timesText(after, before)} as much ${since}, ${serviceChangeText(alert)}.`,
    ...returnedSentences(alert, { time: minuteText }),
    ...earlierLines(alert),
    ...placeLines(culprit),
    ...alert.functions
      .filter(({ name }) => name !== culprit?.name)
      .slice(0, functionsShown - 1)
      .map((each) => `Also ${risenText(each, alert)}.`),
  ];
}

/** `crypto/sha256.block: from 0.05 cores to 0.11 cores`: of the two figures the one that rose by the larger factor. */
function risenText(each: Alert["functions"][number], alert: Alert): string {
  const isSelf = each.self_after * each.total_before > each.total_after * each.self_before;
  const [before, after] = isSelf
    ? [each.self_before, each.self_after]
    : [each.total_before, each.total_after];
  return `${each.name}${isSelf ? " itself" : ""}: from ${quantity(before, alert)} to ${quantity(after, alert)}`;
}

/** `Look at main.priceCart (cart.go:47).`, and how it is called. */
function placeLines(culprit: Alert["culprit"]): string[] {
  if (culprit === undefined) return [];
  return [`Look at ${culprit.name}${placeText(culprit)}.`, ...pathLines(culprit)];
}

function pathLines({ path = [] }: NonNullable<Alert["culprit"]>): string[] {
  return path.length < 2 ? [] : [`Path: ${path.map(shortName).join(" > ")}`];
}

/** `3 goroutines are blocked forever, since 2026-11-20 11:42 UTC.`, and where. */
function faultLines(alert: Alert): string[] {
  const { current_value: value, culprit } = alert;
  const first = alert.functions[0]?.name;
  return [
    `${quantity(value, alert)} ${value === 1 ? "is" : "are"} blocked forever: nothing can wake ${value === 1 ? "it" : "them"}. First seen ${sinceText(alert, minuteText)}.`,
    ...earlierLines(alert),
    ...(culprit === undefined && first !== undefined ? [`Look at ${first}.`] : []),
    ...culpritLines(alert),
  ];
}

/** Whether it is back, and why the first message comes that late. */
function earlierLines(alert: Alert): string[] {
  const { unmuted_at: unmutedAt } = alert;
  return [
    ...returnedSentences(alert, { time: minuteText }),
    ...(unmutedAt === undefined ? [] : [`It opened while muted, until ${minuteText(unmutedAt)}.`]),
  ];
}

/** `CPU up 50.0%`, and `error rate of GET /checkout up from 0.1% to 1.2%`: a percentage of a percentage says little. */
export function riseText(alert: Alert): string {
  if (alert.signal === "silence") return silenceText(alert);
  if (isOfRule(alert)) return `${measured(alert)} ${conditionText(alert)}`;
  if (isFault(alert)) return `${quantity(alert.current_value, alert)} leaked`;
  if (alert.signal === "http_error_rate") {
    const { previous_value: before, current_value: after } = alert;
    return `${measured(alert)} up from ${quantity(before, alert)} to ${quantity(after, alert)}`;
  }
  return `${measured(alert)} up ${percent(alert.percent_change, 1)}`;
}

/** ` and growing by 400 goroutines an hour`; empty after a single step. */
export function growingText(alert: Alert): string {
  const amount = growthAmount(alert, (value) => quantity(value, alert));
  return amount === undefined ? "" : ` and growing by ${amount}`;
}

/** Facts about the cause besides the profiles. */
export function circumstanceLines(alert: Alert): string[] {
  const { release, has_requests: hasRequests, instances } = alert;
  // More traffic would raise all instances, and leaks no goroutine.
  const unknown = hasRequests === false && instances === undefined && !isFault(alert);
  if (release === undefined) {
    return unknown
      ? ["The service sends no HTTP metrics, so heavier traffic cannot be told apart from slower code."]
      : [];
  }
  return [
    isPartialRelease(release)
      ? `${releaseText(release)} since ${minuteText(release.at)}; the previous version is ${release.before}.`
      : `${releaseText(release)} at ${minuteText(release.at)}.`,
    ...(unknown
      ? ["The service sends no HTTP metrics, so the cause may be heavier traffic instead of the release."]
      : []),
  ];
}

/** `Look at main.priceCart (cart.go:47): 97% of the increase is in it or in libraries it calls.` */
function culpritLines(alert: Alert): string[] {
  const { culprit } = alert;
  if (culprit === undefined) return [];
  const { name, share } = culprit;
  const part = isFault(alert) ? "of them wait in it" : "of the increase is in it";
  return [
    `Look at ${ownName(name)}${placeText(culprit)}: ${percent(share * 100, 0)} ${part} or in libraries it calls.`,
    ...pathLines(culprit),
  ];
}

const fileOfName = / \([^()\s]+\)$/;

/** `handler` of `handler (src/a.js)`, as a function is named that needs its file. */
export function ownName(name: string): string {
  return name.replace(fileOfName, "");
}

/** ` (cart.go:47)`; ` (line 47)` if the file is not known, as in Java, where the class names it. */
export function placeText({ file, line }: Pick<NonNullable<Alert["culprit"]>, "file" | "line">): string {
  const name = file.slice(Math.max(file.lastIndexOf("/"), file.lastIndexOf("\\")) + 1);
  if (name === "") return line > 0 ? ` (line ${line})` : "";
  return ` (${name}${line > 0 ? `:${line}` : ""})`;
}

/** `http.HandlerFunc.ServeHTTP` of `net/http.HandlerFunc.ServeHTTP` */
function shortName(name: string): string {
  const own = ownName(name);
  return own.slice(own.lastIndexOf("/") + 1);
}

/** `It was up 50.0% from ... to ...`, or who knows why it stays. */
export function resolvedText(alert: Alert): string {
  if (isOfRule(alert)) return ruleResolvedText(alert, wordingOf(alert));
  const times = `from ${sinceText(alert, minuteText)} to ${minuteText(alert.resolved_at ?? alert.timestamp)}`;
  if (alert.signal === "silence") return silenceResolvedText(alert, times);
  if (isFault(alert)) return `Profiles no longer have leaked goroutines. They had some ${times}.`;
  return expectedText(alert) ?? `It was up ${percent(alert.percent_change, 1)} ${times}.`;
}

function silenceResolvedText({ expected }: Alert, times: string): string {
  if (expected === undefined) return `Uploads arrive again. There were none ${times}.`;
  return `Marked as expected${expected.by === null ? "" : ` by ${expected.by}`}: the next silence opens a new alert.`;
}

/** The rise is not over, but somebody knows why. */
function expectedText({ expected, percent_change: change }: Alert): string | undefined {
  if (expected === undefined) return undefined;
  const by = expected.by === null ? "" : ` by ${expected.by}`;
  return `Marked as expected${by}: it stays up ${percent(change, 1)}, and the new level is the baseline from now on.`;
}

function wordingOf(alert: Alert) {
  return { quantity, minute: minuteText, since: sinceOf(alert) };
}

/** `2026-11-20 12:00 UTC` */
export function minuteText(at: string): string {
  return `${at.slice(0, 16).replace("T", " ")} UTC`;
}

type RuleAlert = Alert & { readonly rule: NonNullable<Alert["rule"]> };

function isOfRule(alert: Alert): alert is RuleAlert {
  return alert.rule !== undefined;
}

/** The texts of values and times that all alerts share. */
interface Wording {
  readonly quantity: (value: number, alert: Alert) => string;
  readonly minute: (at: string) => string;
  readonly since: string;
}

/** `above 2 GB (rule "Heap too large")` */
function conditionText({ rule }: RuleAlert): string {
  return `${rule.condition} (rule "${rule.name}")`;
}

/** `It is at 2.4 GB per instance, and has been above 2 GB since 2026-11-20 11:42 UTC.`, and the rule that says so. */
function ruleLines(alert: RuleAlert, { quantity, minute, since }: Wording): string[] {
  const { rule, current_value: value, signal } = alert;
  const tags = Object.entries(rule.tags).map(([name, text]) => `${name}:${text}`);
  const minutes = rule.minutes === 1 ? "a minute" : `${rule.minutes} minutes`;
  return [
    `It is at ${quantity(value, alert)}${signal === undefined ? " per instance" : ""}, and has been ${rule.condition} since ${minute(since)}.`,
    `The rule "${rule.name}" opens an alert after ${minutes}.`,
    ...(tags.length === 0 ? [] : [`Only profiles with ${tags.join(", ")}.`]),
  ];
}

const endings = {
  changed: "The rule was changed, which resolved this alert.",
  disabled: "The rule was switched off, which resolved this alert.",
  removed: "The rule was deleted, which resolved this alert.",
} as const;

/** `It was above 2 GB (rule "Heap too large") from ... to ...`, or what people did to the rule. */
function ruleResolvedText(alert: RuleAlert, { minute, since }: Wording): string {
  const { rule, resolved_at, timestamp } = alert;
  const times = `from ${minute(since)} to ${minute(resolved_at ?? timestamp)}`;
  const text = `It was ${conditionText(alert)} ${times}.`;
  return rule.ended === undefined ? text : `${text} ${endings[rule.ended]}`;
}
