import type { Project } from "@flamekeep/contract";
import { dayMs } from "@flamekeep/contract/durations";
import type { Selectable } from "kysely";
import type { ServicesTotals, ServiceTotals } from "#store/profiles/service-totals.ts";
import type { Database } from "#store/row/row-store.ts";

export type ProjectRow = Selectable<Database["projects"]>;
export type DerivedRow = Selectable<Database["derivedProjects"]>;

type Services = ServicesTotals["byName"];

const derivedAgeMs = 90 * dayMs;

/** A project before it is known whether it is listed: there may be thousands. */
export interface ProjectEntry extends Omit<Project, "created_at" | "last_activity"> {
  readonly latestMs: number;
  /** Null for derived projects. */
  readonly createdAt: string | null;
}

export function toProject({ latestMs, createdAt, ...project }: ProjectEntry, now: Date): Project {
  return {
    ...project,
    created_at: createdAt ?? new Date(now.getTime() - derivedAgeMs).toISOString(),
    last_activity: new Date(latestMs).toISOString(),
  };
}

/**
 * The created projects, and a derived one for each service without, in no order. A created project has the profiles of its services, or
 * of the service with its name. A derived project that was changed stays after the last profile of its service was removed.
 */
export function joinProjects(
  created: readonly ProjectRow[],
  changed: readonly DerivedRow[],
  services: Services,
): ProjectEntry[] {
  const changes = new Map(changed.map((each) => [each.service, each]));
  const names = new Set(created.filter((row) => namesIn(row.services).length === 0).map(({ name }) => name));
  const derived = [...new Set([...services.keys(), ...changes.keys()])]
    .filter((service) => !names.has(service) && changes.get(service)?.isHidden !== 1)
    .map((service) => {
      const change = changes.get(service);
      return toDerived(service, services.get(service), change);
    });
  return [...created.map((row) => toCreated(row, services)), ...derived];
}

function toCreated(row: ProjectRow, activity: Services): ProjectEntry {
  const services = namesIn(row.services);
  const active = (services.length === 0 ? [row.name] : services)
    .map((service) => activity.get(service))
    .filter((each) => each !== undefined);
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    status: row.status,
    tags: namesIn(row.tags),
    services,
    member_count: row.memberCount,
    profile_count: active.reduce((sum, { profiles }) => sum + profiles, 0),
    createdAt: row.createdAt,
    latestMs:
      active.length === 0 ? Date.parse(row.updatedAt) : Math.max(...active.map(({ latestMs }) => latestMs)),
    is_derived: false,
  };
}

function toDerived(
  service: string,
  activity: ServiceTotals | undefined,
  change: DerivedRow | undefined,
): ProjectEntry {
  return {
    id: service,
    name: change?.name ?? service,
    description: change?.description ?? `Service: ${service}`,
    status: change?.status ?? "active",
    tags: change?.tags ? namesIn(change.tags) : [],
    services: [],
    member_count: 0,
    profile_count: activity?.profiles ?? 0,
    createdAt: null,
    latestMs: activity?.latestMs ?? Date.parse(change!.updatedAt),
    is_derived: true,
  };
}

export function namesIn(json: string): string[] {
  return JSON.parse(json) as string[];
}
