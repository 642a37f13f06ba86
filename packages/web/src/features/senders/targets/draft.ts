import {
  type GivenTarget,
  isServiceName,
  limits,
  type Target,
  type TargetProfile,
  type TargetSource,
  targetAlternatives,
} from "@flamekeep/contract";
import { tagsOf, tagsText } from "#format/tags.ts";
import type { Problem } from "#ui/controls/form-problems.tsx";

/** The fields of the dialog, as text. */
export interface Draft {
  readonly name: string;
  readonly service: string;
  readonly kind: TargetSource["kind"];
  readonly url: string;
  readonly dnsName: string;
  readonly record: "A" | "AAAA" | "SRV";
  readonly port: string;
  readonly scheme: "http" | "https";
  readonly namespace: string;
  readonly selector: string;
  readonly annotations: "profiles.grafana.com" | "prometheus.io";
  readonly interval: string;
  readonly profiles: readonly TargetProfile[];
  /** `env:production, region:eu` */
  readonly tags: string;
  readonly pathPrefix: string;
  /** A line for each: `Authorization: Bearer ...`; a name alone keeps the stored value. */
  readonly headers: string;
  readonly ca: string;
  readonly skipsVerification: boolean;
  readonly isEnabled: boolean;
}

export const newDraft: Draft = {
  name: "",
  service: "",
  kind: "url",
  url: "",
  dnsName: "",
  record: "A",
  port: "6060",
  scheme: "http",
  namespace: "",
  selector: "",
  annotations: "profiles.grafana.com",
  interval: "15",
  profiles: ["cpu", "heap", "goroutine", "mutex", "block"],
  tags: "",
  pathPrefix: "",
  headers: "",
  ca: "",
  skipsVerification: false,
  isEnabled: true,
};

export function draftOf(target: Target): Draft {
  const { source } = target;
  const { kind } = source;
  return {
    ...newDraft,
    name: target.name,
    service: target.service,
    kind,
    ...((kind === "url" || kind === "http") && { url: source.url }),
    ...((kind === "dns" || kind === "http") && { scheme: source.scheme }),
    ...(kind === "dns" && { dnsName: source.name, record: source.record, port: String(source.port ?? "") }),
    ...(kind === "kubernetes" && {
      namespace: source.namespace,
      selector: source.selector,
      annotations: source.annotations,
    }),
    interval: String(target.interval_seconds),
    profiles: target.profiles,
    tags: tagsText(target.tags),
    pathPrefix: target.path_prefix,
    headers: target.header_names.join("\n"),
    ca: target.tls.ca,
    skipsVerification: target.tls.skip_verification,
    isEnabled: target.is_enabled,
  };
}

export function bodyOf(draft: Draft): GivenTarget {
  return {
    name: draft.name.trim() || draft.service.trim() || "Targets",
    service: draft.service.trim(),
    source: sourceOf(draft),
    interval_seconds: Number(draft.interval),
    profiles: [...draft.profiles],
    tags: { ...tagsOf(draft.tags) },
    path_prefix: draft.pathPrefix.trim(),
    headers: headersOf(draft.headers),
    tls: { ca: draft.ca.trim(), skip_verification: draft.skipsVerification },
    is_enabled: draft.isEnabled,
  };
}

/** A target as it is, with its stored headers. */
export function givenOf(target: Target): GivenTarget {
  const { name, service, source, interval_seconds, profiles, tags, path_prefix, tls, is_enabled } = target;
  const headers = target.header_names.map((header) => ({ name: header, value: null }));
  return { name, service, source, interval_seconds, profiles, tags, path_prefix, headers, tls, is_enabled };
}

function sourceOf(draft: Draft): TargetSource {
  const { kind, scheme, record, namespace, selector, annotations } = draft;
  switch (kind) {
    case "url":
      return { kind, url: withScheme(draft.url) };
    case "http":
      return { kind, url: withScheme(draft.url), scheme };
    case "dns":
      return {
        kind,
        name: draft.dnsName.trim(),
        record,
        port: record === "SRV" ? null : Number(draft.port),
        scheme,
      };
    case "kubernetes":
      return { kind, namespace: namespace.trim(), selector: selector.trim(), annotations };
  }
}

/** People write `checkout:6060`. */
function withScheme(url: string): string {
  const text = url.trim();
  return text === "" || /^https?:\/\//i.test(text) ? text : `http://${text}`;
}

function headersOf(text: string): GivenTarget["headers"] {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  return lines.map((line) => {
    const at = line.indexOf(":");
    return at === -1
      ? { name: line.trim(), value: null }
      : { name: line.slice(0, at).trim(), value: line.slice(at + 1).trim() };
  });
}

/** The fields that keep the draft from being sent. The server checks the rest. */
export function problemsOf(draft: Draft): Problem[] {
  const { kind, service, interval } = draft;
  const problems: (Problem | false)[] = [
    (kind === "url" || kind === "http") &&
      draft.url.trim() === "" && { field: "url", text: "Enter a URL, such as http://checkout.internal:6060" },
    kind === "dns" && draft.dnsName.trim() === "" && { field: "dnsName", text: "Enter a DNS name" },
    kind === "dns" &&
      draft.record !== "SRV" &&
      !isBetween(draft.port, 1, 65_535) && { field: "port", text: "Enter a port from 1 to 65535" },
    (kind === "url" || kind === "dns") &&
      !isServiceName(service) && {
        field: "service",
        text: "Enter the name of a service, such as checkout",
      },
    !isBetween(interval, limits.targetIntervalSecondsMin, limits.targetIntervalSecondsMax) && {
      field: "interval",
      text: `Enter an interval from ${limits.targetIntervalSecondsMin} to ${limits.targetIntervalSecondsMax} seconds`,
    },
    draft.profiles.length === 0 && { field: "profile", text: "Choose at least one profile" },
    tagsOf(draft.tags) === undefined && { field: "tags", text: "Write tags as env:production, region:eu" },
  ];
  return problems.filter((each) => each !== false);
}

function isBetween(text: string, min: number, max: number): boolean {
  const number = Number(text);
  return Number.isInteger(number) && number >= min && number <= max;
}

/** Adds a profile or removes it. Of profiles with the same figures only the last chosen one stays. */
export function withProfile(
  profiles: readonly TargetProfile[],
  name: TargetProfile,
  isChosen: boolean,
): TargetProfile[] {
  const group = targetAlternatives.find((names) => names.includes(name)) ?? [name];
  const others = profiles.filter((each) => each !== name && !(isChosen && group.includes(each)));
  return isChosen ? [...others, name] : others;
}
