import { digestWeekdays } from "./calls.ts";
import type { MuteSchedule } from "./mutes.ts";

/** Mute schedules and their forms begin the week with Monday. */
export const scheduleWeekdays = [...digestWeekdays.slice(1), digestWeekdays[0]] as const;

const workdays = 5;

type Weekdays = readonly MuteSchedule["weekdays"][number][];

/** `every Sunday 02:00 to 05:00`, `Monday to Friday 22:00 to 01:00 the next day`. Without the time zone. */
export function scheduleText({
  weekdays,
  from,
  to,
}: Pick<MuteSchedule, "from" | "to"> & { readonly weekdays: Weekdays }): string {
  return `${daysText(weekdays)} ${from} to ${to}${to <= from ? " the next day" : ""}`;
}

function daysText(weekdays: Weekdays): string {
  const days = scheduleWeekdays.filter((day) => weekdays.includes(day));
  if (days.length === scheduleWeekdays.length) return "every day";
  if (days.join() === scheduleWeekdays.slice(0, workdays).join()) return "Monday to Friday";
  const names = days.map((day) => day.charAt(0).toUpperCase() + day.slice(1));
  const last = names.pop() ?? "";
  return `every ${names.length === 0 ? last : `${names.join(", ")} and ${last}`}`;
}
