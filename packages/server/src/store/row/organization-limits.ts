import { type LimitName, type LimitSource, type OwnLimits, organizationLimits } from "@flamekeep/contract";
import { acrossOrganizations, type RowStore } from "./row-store.ts";

/** A limit of an organization, and where it comes from. */
export interface Limit {
  readonly name: LimitName;
  readonly value: number;
  readonly source: LimitSource;
}

/** The part of the configuration that has limits. */
interface LimitsConfig {
  readonly limitsFile: { readonly organizations: ReadonlyMap<string, OwnLimits> };
  readonly organization: {
    readonly storedBytesMax: number;
    readonly uploadsPerMinute: number;
    readonly servicesMax: number;
    readonly analysesPerDay: number;
  };
  readonly retentionDays: number;
}

/** The limits that an organization has in the row store. */
export interface StoredLimits {
  readonly orgId: string;
  readonly ownLimits: OwnLimits;
}

const defaults: Readonly<Record<LimitName, (config: LimitsConfig) => number>> = {
  stored_bytes: ({ organization }) => organization.storedBytesMax,
  uploads_per_minute: ({ organization }) => organization.uploadsPerMinute,
  services: ({ organization }) => organization.servicesMax,
  retention_days: ({ retentionDays }) => retentionDays,
  analyses_per_day: ({ organization }) => organization.analysesPerDay,
};

/** The limit from the file, else the operator's, else the server's. No organization keeps data for longer than the server. */
export function limitOf(config: LimitsConfig, { orgId, ownLimits }: StoredLimits, name: LimitName): Limit {
  const ofServer = defaults[name](config);
  const ofFile = config.limitsFile.organizations.get(orgId)?.[name];
  const own = ofFile ?? ownLimits[name];
  if (own === undefined || (name === "retention_days" && own > ofServer)) {
    return { name, value: ofServer, source: "server" };
  }
  return { name, value: own, source: ofFile === undefined ? "operator" : "file" };
}

/** The end of a sentence about a limit that is reached: how the operator can raise it. */
export function raising({ name, source }: Limit): string {
  if (source === "server") return `ask the server's operator to raise ${organizationLimits[name].setting}`;
  const where = source === "file" ? ` in LIMITS_FILE` : "";
  return `ask the server's operator, who set this limit for your organization${where}`;
}

/** Limits that the operator set in the app. */
export async function readOwnLimits(rows: RowStore, orgId: string): Promise<OwnLimits> {
  const found = rows.selectFrom("organizationLimits").select(["name", "value"]).where("orgId", "=", orgId);
  return Object.fromEntries((await found.execute()).map(({ name, value }) => [name, value]));
}

/** The same of all organizations that have any. */
export async function readAllOwnLimits(rows: RowStore): Promise<ReadonlyMap<string, OwnLimits>> {
  const found = await acrossOrganizations(rows).selectFrom("organizationLimits").selectAll().execute();
  const byOrganization = new Map<string, Partial<Record<LimitName, number>>>();
  for (const { orgId, name, value } of found) {
    byOrganization.set(orgId, { ...byOrganization.get(orgId), [name]: value });
  }
  return byOrganization;
}

/** The present limit of an organization, read from the row store. */
export async function readLimit(
  rows: RowStore,
  config: LimitsConfig,
  { orgId, name }: { readonly orgId: string; readonly name: LimitName },
): Promise<Limit> {
  return limitOf(config, { orgId, ownLimits: await readOwnLimits(rows, orgId) }, name);
}

/** How many days each organization keeps: as many as it chose, and at most its limit. */
export async function readKeptDays(
  rows: RowStore,
  config: LimitsConfig,
): Promise<readonly { readonly orgId: string; readonly days: number }[]> {
  const [organizations, limits] = await Promise.all([
    acrossOrganizations(rows).selectFrom("organizations").select(["id", "retentionDays"]).execute(),
    readAllOwnLimits(rows),
  ]);
  return organizations.map(({ id, retentionDays }) => {
    const { value } = limitOf(config, { orgId: id, ownLimits: limits.get(id) ?? {} }, "retention_days");
    return { orgId: id, days: Math.min(retentionDays ?? value, value) };
  });
}
