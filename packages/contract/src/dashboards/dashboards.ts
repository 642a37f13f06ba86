import { z } from "zod";
import { dayMs, minuteMs } from "#base/durations.ts";
import { endpointIn } from "#base/endpoint.ts";
import { limits } from "#base/limits.ts";
import { Instant } from "#base/moments.ts";
import {
  hiddenInLineRule,
  hiddenRule,
  isReadableLine,
  isReadableText,
  isServiceName,
  normalServiceName,
} from "#base/readable.ts";
import { spanMs } from "#base/time.ts";
import { Count, givenName } from "#base/values.ts";
import * as calls from "./calls.ts";
import { DashboardPanel } from "./panels.ts";

const DashboardId = z.uuid().meta({ example: "2f0c8a5e-4b71-4f0e-8a43-5d0f1c7be962" });

const Version = z
  .int()
  .min(1)
  .max(2 ** 31 - 1)
  .meta({ description: "Each save is a new version.", example: 4 });

const tagValue = (name: string) =>
  z
    .string()
    .trim()
    .max(limits.muteTagValueLengthMax)
    .refine(isReadableLine, { error: `variable ${name} ${hiddenInLineRule}` })
    .default("");

/** Values at first; an empty one chooses nothing. */
const Variables = z.strictObject({
  service: z
    .string()
    .overwrite(normalServiceName)
    .max(limits.serviceNameLengthMax)
    .refine((service) => service === "" || isServiceName(service), {
      error: "variable service must be the name of a service, such as checkout, or empty",
    })
    .default("")
    .meta({ description: "The service of panels whose service is `$service`.", example: "checkout" }),
  version: tagValue("version").meta({ description: "Only profiles with this tag.", example: "" }),
  region: tagValue("region").meta({ description: "Only profiles with this tag.", example: "eu" }),
});

const spanMsMax = limits.sinceDaysMax * dayMs;

/** As the ranges of pages: the web app ignores all others. */
function isSpan(text: string): boolean {
  const ms = spanMs(text) ?? 0;
  return ms >= minuteMs && ms <= spanMsMax;
}

const Span = z
  .string()
  .refine(isSpan, {
    error: `range must be a span of time such as 90m, 24h or 7d, from 1m to ${limits.sinceDaysMax}d`,
  })
  .meta({ description: "The time range at first: so far back from now.", example: "24h" });

const Panels = z
  .array(DashboardPanel)
  .max(limits.dashboardPanelsMax)
  .default([])
  .superRefine((panels, context) => {
    const repeated = panels.find(({ id }, at) => panels.findIndex((each) => each.id === id) !== at);
    if (repeated === undefined) return;
    const message = `panels must have different ids: ${repeated.id} occurs twice`;
    context.addIssue({ code: "custom", message });
  });

const definition = {
  name: givenName("Dashboard name", limits.dashboardNameLengthMax).meta({ example: "Checkout on call" }),
  description: z
    .string()
    .trim()
    .max(limits.dashboardDescriptionLengthMax)
    .refine(isReadableText, { error: `Dashboard description ${hiddenRule}` })
    .default("")
    .meta({ example: "First look when the pager rings" }),
  variables: Variables.default({ service: "", version: "", region: "" }),
  range: Span.default("24h"),
  panels: Panels,
};

export const DashboardDefinition = z.object(definition);
export type DashboardDefinition = z.output<typeof DashboardDefinition>;

const saved = {
  version: Version,
  saved_at: Instant,
  saved_by: z.string().nullable().meta({
    description: "Null if the account no longer exists.",
    example: "Ada Lovelace",
  }),
};

export const Dashboard = z.object({ id: DashboardId, ...saved, ...definition }).meta({ id: "Dashboard" });
export type Dashboard = z.output<typeof Dashboard>;

export const DashboardSummary = z
  .object({
    id: DashboardId,
    name: z.string().meta({ example: "Checkout on call" }),
    description: z.string().meta({ example: "First look when the pager rings" }),
    panels: Count.meta({ description: "Number of panels.", example: 6 }),
    ...saved,
  })
  .meta({ id: "DashboardSummary" });
export type DashboardSummary = z.output<typeof DashboardSummary>;

export const DashboardVersion = z.object(saved).meta({ id: "DashboardVersion" });
export type DashboardVersion = z.output<typeof DashboardVersion>;

const params = z.object({ id: z.string().meta(DashboardId.meta() ?? {}) });

const BasedOn = Version.meta({
  description: "The version that the change is based on: 409 if a later one was saved.",
  example: 4,
});

const endpoint = endpointIn("Dashboards");

export const dashboardEndpoints = [
  endpoint(calls.listDashboards, {
    summary: "Dashboards of the organization, by name",
    reply: z.object({ dashboards: z.array(DashboardSummary) }),
  }),
  endpoint(calls.createDashboard, {
    summary: "Create a dashboard",
    description: `An organization may have ${limits.dashboardsMax} dashboards of ${limits.dashboardPanelsMax} panels each. As JSON, a dashboard has at most 64 KiB.`,
    body: DashboardDefinition,
    reply: Dashboard,
    status: 201,
    failures: ["quota_exceeded"],
  }),
  endpoint(calls.readDashboard, {
    summary: "A dashboard as JSON",
    description:
      "The same JSON, changed or not, is the body of the call that saves it: keep it in a file under version control.",
    params,
    query: z.object({
      version: z.coerce
        .number()
        .int()
        .min(1)
        .max(2 ** 31 - 1)
        .optional()
        .meta({ description: "An earlier version; the latest by default.", example: 4 }),
    }),
    reply: Dashboard,
    failures: ["not_found"],
  }),
  endpoint(calls.saveDashboard, {
    summary: "Save a dashboard",
    description:
      `All fields are replaced; \`id\`, \`saved_at\` and \`saved_by\` are ignored. Each change is a new version, and the latest ${limits.dashboardVersionsMax} ` +
      "are kept. The same JSON again changes nothing.",
    params,
    body: z.object({ ...definition, version: BasedOn }),
    reply: Dashboard,
    failures: ["not_found", "conflict"],
  }),
  endpoint(calls.removeDashboard, {
    summary: "Delete a dashboard",
    description: "With all of its versions.",
    params,
    reply: z.object({ id: DashboardId, name: z.string().meta({ example: "Checkout on call" }) }),
    failures: ["not_found"],
  }),
  endpoint(calls.listDashboardVersions, {
    summary: "Versions of a dashboard, newest first",
    params,
    reply: z.object({ versions: z.array(DashboardVersion) }),
    failures: ["not_found"],
  }),
  endpoint(calls.restoreDashboard, {
    summary: "Restore an earlier version of a dashboard",
    description: "It becomes the content of a new version. The versions in between are kept.",
    params,
    body: z.object({
      restored_version: Version.meta({ description: "The version to restore.", example: 2 }),
      version: BasedOn,
    }),
    reply: Dashboard,
    failures: ["not_found", "conflict"],
  }),
] as const;
