import type { Project } from "@flamekeep/contract";
import { dayMs } from "@flamekeep/contract/durations";
import type { Selectable } from "kysely";
import type { Database } from "#store/row/row-store.ts";

export type ProjectRow = Selectable<Database["projects"]>;
export type DerivedRow = Selectable<Database["derivedProjects"]>;

/** The stored profiles of a service, all types together, without batches of HTTP metrics. */
export interface ServiceActivity {
  readonly service: string;
  readonly profiles: number;
  readonly latest: Date;
}

const derivedAgeMs = 90 * dayMs;

/**
 * The created projects, and a derived one for each service without. A created project has the profiles of its services, or of the
 * service with its name. A derived project that was changed stays after the last profile of its service was removed.
 */
export function joinProjects(
  created: readonly ProjectRow[],
  changed: readonly DerivedRow[],
  activity: readonly ServiceActivity[],
  now: Date,
): Project[] {
  const services = new Map(activity.map((each) => [each.service, each]));
  const changes = new Map(changed.map((each) => [each.service, each]));
  const names = new Set(created.filter((row) => namesIn(row.services).length === 0).map(({ name }) => name));
  const derived = [...new Set([...services.keys(), ...changes.keys()])]
    .filter((service) => !names.has(service) && changes.get(service)?.isHidden !== 1)
    .map((service) => toDerived(service, services.get(service), changes.get(service), now));
  return [...created.map((row) => toCreated(row, services)), ...derived].sort(
    (a, b) => Date.parse(b.last_activity) - Date.parse(a.last_activity) || (a.name < b.name ? -1 : 1),
  );
}

function toCreated(row: ProjectRow, activity: ReadonlyMap<string, ServiceActivity>): Project {
  const services = namesIn(row.services);
  const active = (services.length === 0 ? [row.name] : services)
    .map((service) => activity.get(service))
    .filter((each) => each !== undefined);
  const latestMs = Math.max(...active.map(({ latest }) => latest.getTime()));
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    status: row.status,
    tags: namesIn(row.tags),
    services,
    member_count: row.memberCount,
    profile_count: active.reduce((sum, { profiles }) => sum + profiles, 0),
    created_at: row.createdAt,
    last_activity: active.length === 0 ? row.updatedAt : new Date(latestMs).toISOString(),
    is_derived: false,
  };
}

function toDerived(
  service: string,
  activity: ServiceActivity | undefined,
  change: DerivedRow | undefined,
  now: Date,
): Project {
  return {
    id: service,
    name: change?.name ?? service,
    description: change?.description ?? `Service: ${service}`,
    status: change?.status ?? "active",
    tags: namesIn(change?.tags ?? "[]"),
    services: [],
    member_count: 0,
    profile_count: activity?.profiles ?? 0,
    created_at: new Date(now.getTime() - derivedAgeMs).toISOString(),
    last_activity: activity?.latest.toISOString() ?? change?.updatedAt ?? now.toISOString(),
    is_derived: true,
  };
}

function namesIn(json: string): string[] {
  return JSON.parse(json) as string[];
}
