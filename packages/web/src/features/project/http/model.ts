import type { HttpAggregates } from "@flamekeep/contract";

/** One row of the aggregated metrics: the requests of a path, or of a class of status. */
export interface EndpointRow extends HttpAggregates {
  readonly name: string;
}

const top = 5;
const goodSuccessRate = 0.95;

type Group = HttpAggregates & { readonly path?: string | undefined; readonly status?: string | undefined };

export function endpointRows(groups: readonly Group[]): EndpointRow[] {
  return groups.map((group) => ({ ...group, name: group.path ?? group.status ?? "" }));
}

function topBy(rows: readonly EndpointRow[], figure: (row: EndpointRow) => number): EndpointRow[] {
  return rows
    .filter((row) => figure(row) > 0)
    .toSorted((a, b) => figure(b) - figure(a))
    .slice(0, top);
}

export function mostRequested(rows: readonly EndpointRow[]): EndpointRow[] {
  return topBy(rows, ({ count }) => count);
}

export function slowest(rows: readonly EndpointRow[]): EndpointRow[] {
  return topBy(rows, ({ p95_duration }) => p95_duration ?? 0);
}

/** Endpoints with the highest rate of errors, without those that have none. */
export function leastReliable(rows: readonly EndpointRow[]): EndpointRow[] {
  return topBy(rows, ({ error_rate }) => error_rate ?? 0);
}

/** Number of failed requests: status 400 or above. */
export function failedRequests({ count, error_rate }: HttpAggregates): number {
  return Math.round(count * (error_rate ?? 0));
}

export function mostErrors(rows: readonly EndpointRow[]): EndpointRow[] {
  return topBy(rows, failedRequests);
}

export function successRate({ error_rate }: HttpAggregates): number | null {
  return error_rate === null ? null : 1 - error_rate;
}

export function isGoodSuccess(rate: number): boolean {
  return rate >= goodSuccessRate;
}
