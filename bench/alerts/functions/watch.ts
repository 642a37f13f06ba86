/** Follows the functions of a service hour by hour, as the server does. */
import {
  comparableEnds,
  hasFallen,
  heldHours,
  isSuspect,
  learntHours,
  levelAt,
  type RisenFunction,
  type ServiceHours,
  shiftOf,
} from "@flamekeep/server/alerts/functions/function-shift.ts";
import type { FunctionHoursOfService } from "./service.ts";

/** An alert: the functions that rose together. */
interface FunctionAlert {
  readonly hour: number;
  readonly functions: readonly number[];
}

export interface Watched {
  readonly alerts: readonly FunctionAlert[];
  /** Hours in which at least one function was looked at closely. */
  readonly closeLooks: number;
}

export function watchFunctions(service: FunctionHoursOfService, riseMin = 0): Watched {
  const figures = [
    ...service.self.map((values, id) => ({ id, values })),
    ...service.total.map((values, id) => ({ id, values })),
  ];
  const open = new Map<number, { readonly values: Float64Array; readonly risen: RisenFunction }>();
  const alerts: FunctionAlert[] = [];
  let closeLooks = 0;
  for (let hour = 1; hour < service.totals.length; hour++) {
    const fromHour = Math.max(0, hour + 1 - learntHours);
    const part = (values: Float64Array) => values.subarray(fromHour, hour + 1);
    const hours: ServiceHours = {
      level: part(service.level),
      totals: part(service.totals),
      sample: 1,
      riseMin,
    };
    for (const [id, { values, risen }] of open) if (hasFallen(part(values), hours, risen)) open.delete(id);
    const ends = comparableEnds(hours.level);
    if (ends.length === 0) continue;
    const compared = new Set(ends.flatMap((end) => Array.from({ length: heldHours }, (_, ago) => end - ago)));
    const sumsOf = (values: Float64Array) => ({
      newest: [...values.subarray(-heldHours)],
      before: [...compared].reduce((sum, each) => sum + values[each]!, 0),
    });
    const whole = sumsOf(hours.totals);
    const suspects = figures.filter(
      ({ id, values }) => !open.has(id) && isSuspect(sumsOf(part(values)), whole, hours.sample),
    );
    if (suspects.length > 0) closeLooks++;
    const risen = suspects.flatMap(({ id, values }) => {
      const shift = shiftOf(part(values), hours, ends);
      return shift === undefined ? [] : [{ id, values, shift }];
    });
    if (risen.length === 0) continue;
    alerts.push({ hour, functions: [...new Set(risen.map(({ id }) => id))] });
    const level = levelAt(hours.level, hours.level.length - 1);
    for (const { id, values, shift } of risen) open.set(id, { values, risen: { ...shift, level } });
  }
  return { alerts, closeLooks };
}
