import {
  type DisplayType,
  displayTypes,
  type listServices,
  profileTypes,
  type ReplyOf,
} from "@flamekeep/contract";

type TypeCounts = Readonly<Partial<Record<DisplayType, number>>>;

export function countOf(counts: TypeCounts | undefined, type: DisplayType | "all"): number {
  if (counts === undefined) return 0;
  if (type !== "all") return counts[type] ?? 0;
  return displayTypes.reduce((sum, each) => sum + (counts[each] ?? 0), 0);
}

export interface TypeShare {
  readonly type: DisplayType;
  readonly count: number;
  /** Fraction of all counted profiles, 0 to 1. */
  readonly share: number;
}

/** The types that occur, in the order of the tabs. */
export function typeShares(counts: TypeCounts | undefined): TypeShare[] {
  const total = countOf(counts, "all");
  return displayTypes
    .map((type) => ({
      type,
      count: countOf(counts, type),
      share: total === 0 ? 0 : countOf(counts, type) / total,
    }))
    .filter((share) => share.count > 0);
}

export interface FleetTotals {
  readonly services: number;
  /** Without batches of HTTP metrics, here and by type. */
  readonly profiles: number;
  readonly byType: Partial<Record<DisplayType, number>>;
  readonly lastActivity: string | null;
}

export function fleetTotals(totals: ReplyOf<typeof listServices>["totals"]): FleetTotals {
  const { metrics: _batches, ...byType } = totals.profiles_by_display_type ?? {};
  return {
    services: totals.services,
    profiles: countOf(byType, "all"),
    byType,
    lastActivity: totals.last_activity,
  };
}

type Services = ReplyOf<typeof listServices>;

/** The page with the counts of an earlier one; undefined if a service came or went, or the other page lacks one of these. */
export function withCounts<T extends Services>(page: Services, before: T): T | undefined {
  if (page.totals.services !== before.totals.services) return undefined;
  const counts = new Map(before.services.map((each) => [each.name, each]));
  if (!page.services.every(({ name }) => counts.has(name))) return undefined;
  return {
    ...before,
    ...page,
    services: page.services.map((each) => ({ ...counts.get(each.name), ...each })),
    totals: { ...before.totals, ...page.totals },
  };
}

/** Tags sorted by key, split into the first few and the rest. */
export function shownTags(tags: Readonly<Record<string, string>>, limit: number) {
  const all = Object.entries(tags).sort(([a], [b]) => (a < b ? -1 : 1));
  return { shown: all.slice(0, limit), hidden: all.slice(limit) };
}

export function isProfileType(type: string): type is (typeof profileTypes)[number] {
  return (profileTypes as readonly string[]).includes(type);
}
