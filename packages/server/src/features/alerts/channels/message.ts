import { type Alert, alertSpan } from "@flamekeep/contract";
import { hourMs } from "@flamekeep/contract/durations";
import { formatValue } from "@flamekeep/flame";

/** The text of an alert or of a test, the same for all channels. */
export interface Message {
  readonly event: "opened" | "resolved" | "test";
  readonly title: string;
  readonly text: string;
  readonly link: string;
  /** null for a test. */
  readonly alert: Alert | null;
}

const functionsShown = 3;
/** Functions with less of the increase are not named. */
const shareMin = 0.05;
const instancesShown = 3;

export function alertMessage(event: "opened" | "resolved", alert: Alert, publicUrl: string): Message {
  const what = `${measured(alert)} of ${alert.service}`;
  const change = percent(alert.percent_change, 1);
  if (event === "resolved") {
    const link = alertLink(alert, publicUrl);
    const times = `from ${minuteText(alert.began_at ?? alert.timestamp)} to ${minuteText(alert.resolved_at ?? alert.timestamp)}`;
    const text = expectedText(alert) ?? `It was up ${change} ${times}.`;
    return { event, title: `Resolved: ${what}`, text, link, alert };
  }
  const [before, after] = [alert.previous_value, alert.current_value].map((value) => quantity(value, alert));
  const lines = [
    `From ${before} to ${after}, per instance, since ${minuteText(alert.began_at ?? alert.timestamp)}.`,
    ...trendLines(alert),
    ...instanceLines(alert),
    ...culpritLines(alert),
    ...alert.functions
      .filter(({ name, share }) => share >= shareMin && name !== alert.culprit?.name)
      .slice(0, functionsShown)
      .map(({ name, share }) => `${name}: ${percent(share * 100, 0)} of the increase`),
  ];
  const link = comparisonLink(alert, publicUrl) ?? alertLink(alert, publicUrl);
  const severity = `${alert.severity.charAt(0).toUpperCase()}${alert.severity.slice(1)}`;
  return { event, title: `${severity}: ${what} up ${change}`, text: lines.join("\n"), link, alert };
}

/** The rise is not over, but somebody knows why. */
function expectedText({ expected, percent_change: change }: Alert): string | undefined {
  if (expected === undefined) return undefined;
  const by = expected.by === null ? "" : ` by ${expected.by}`;
  return `Marked as expected${by}: it stays up ${percent(change, 1)}, and alerts compare with the new level from now on.`;
}

/** `Look at main.priceCart (cart.go:47): 97% of the increase is in it or in what it calls.` */
function culpritLines({ culprit }: Alert): string[] {
  if (culprit === undefined) return [];
  const { name, file, line, share } = culprit;
  const fileName = file.slice(Math.max(file.lastIndexOf("/"), file.lastIndexOf("\\")) + 1);
  const place = fileName === "" ? "" : ` (${fileName}${line > 0 ? `:${line}` : ""})`;
  return [
    `Look at ${name}${place}: ${percent(share * 100, 0)} of the increase is in it or in what it calls.`,
  ];
}

function trendLines({ growth_per_hour: perHour }: Alert): string[] {
  if (perHour === undefined) return [];
  const doubled = Math.log(2) / Math.log1p(perHour);
  const duration = doubled < 48 ? `${doubled.toFixed(0)} hours` : `${(doubled / 24).toFixed(0)} days`;
  return [`It keeps growing by ${percent(100 * perHour, 1)} an hour: twice as much in ${duration}.`];
}

function instanceLines({ instances, version }: Alert): string[] {
  if (instances === undefined) return [];
  const more = instances.length - instancesShown;
  const names = instances.slice(0, instancesShown).join(", ") + (more > 0 ? ` and ${more} more` : "");
  return [
    `Only on ${names}${version === undefined ? "" : `, which run version ${version}`}; the others are as before.`,
  ];
}

export function testMessage(publicUrl: string): Message {
  return {
    event: "test",
    title: "Flamekeep can reach you here",
    text: "This is a test. Alerts about your services will arrive like this.",
    link: `${publicUrl}/alerts`,
    alert: null,
  };
}

/** The comparison of the range before with the worse one, in which the culprit is selected. Undefined without one. */
function comparisonLink(alert: Alert, publicUrl: string): string | undefined {
  const {
    service,
    profile_type: type,
    sample_type,
    culprit,
    previous_range: before,
    current_range: after,
  } = alert;
  if (culprit === undefined) return undefined;
  const sides = {
    before_from: before.from,
    before_to: before.to,
    after_from: after.from,
    after_to: after.to,
  };
  return `${publicUrl}/compare?${new URLSearchParams({ service, type, sample_type, ...sides, fn: culprit.name })}`;
}

/**
 * The page of the alert's service and profile type, over the time that shows the rise. It ends an hour after the alert
 * opened, because nobody opens the link at once.
 */
function alertLink(alert: Alert, publicUrl: string): string {
  const { service, profile_type: type, previous_range: before, current_range: after } = alert;
  const openedMs = Date.parse(alert.timestamp);
  const resolvedMs = alert.resolved_at === null ? null : Date.parse(alert.resolved_at);
  const beganMs = Date.parse(alert.began_at ?? after.from);
  const times = { beganMs, openedMs, resolvedMs, comparedFromMs: Date.parse(before.from) };
  const { fromMs, toMs } = alertSpan(times, (resolvedMs ?? openedMs) + hourMs);
  const range = new URLSearchParams({
    from: new Date(fromMs).toISOString(),
    to: new Date(toMs).toISOString(),
    since: alert.began_at ?? alert.timestamp,
  });
  return `${publicUrl}/profiles/service/${encodeURIComponent(service)}/${type}?${range}`;
}

const measuredNames: Readonly<Record<string, string>> = {
  cpu: "CPU",
  memory: "memory in use",
  goroutine: "goroutines",
  mutex: "waiting for locks",
  block: "blocked time",
};

const allocated = "alloc_space/bytes";

function measured({ profile_type: type, sample_type: sampleType }: Alert): string {
  if (sampleType === allocated) return "allocated memory";
  return measuredNames[type] ?? nameOf(sampleType);
}

/** Programs name their own types like `shop/open_carts/count`. */
function nameOf(sampleType: string): string {
  return sampleType.slice(0, sampleType.lastIndexOf("/")).replaceAll("_", " ");
}

const perSecond = " per second";

function quantity(value: number, { profile_type: type, unit }: Alert): string {
  if (type === "cpu") {
    const cores = formatValue(value / 1e9, "count");
    return `${cores} ${cores === "1" ? "core" : "cores"}`;
  }
  if (type === "goroutine") return `${formatValue(value, "count")} goroutines`;
  if (!unit.endsWith(perSecond)) return formatValue(value, unit);
  return `${formatValue(value, unit.slice(0, -perSecond.length))} each second`;
}

function percent(value: number, decimals: number): string {
  return `${value.toFixed(decimals)}%`;
}

/** `2026-11-20 12:00 UTC` */
function minuteText(at: string): string {
  return `${at.slice(0, 16).replace("T", " ")} UTC`;
}
