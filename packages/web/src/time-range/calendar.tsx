import { ChevronLeft, ChevronRight } from "lucide-react";
import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import { msOfWallTime, type WallTime, wallTimeOf, type Zone } from "#format/wall-time.ts";
import { Button } from "#ui/controls/button.tsx";
import { cx } from "#ui/cx.ts";
import type { Bounds } from "./view-range.ts";

interface CalendarProps {
  readonly zone: Zone;
  readonly nowMs: number;
  readonly selected: Bounds | undefined;
  /** Called with whole days: one after the first click, several after the second. */
  readonly onSelect: (bounds: Bounds) => void;
}

const weekdays = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];

/** A month of days. Arrow keys move by day and week, Page Up and Page Down by month. */
export function Calendar({ zone, nowMs, selected, onSelect }: CalendarProps) {
  const today = dayOf(nowMs, zone);
  const [focused, setFocused] = useState(() => (selected ? dayOf(selected.toMs - 1, zone) : today));
  const [first, setFirst] = useState<Day>();
  const grid = useRef<HTMLTableElement>(null);
  const movesFocus = useRef(false);
  useEffect(() => {
    if (!movesFocus.current) return;
    movesFocus.current = false;
    grid.current?.querySelector<HTMLButtonElement>("[tabindex='0']")?.focus();
  });

  function show(day: Day, withFocus: boolean) {
    movesFocus.current = withFocus;
    setFocused(compareDays(day, today) > 0 ? today : day);
  }

  function choose(day: Day) {
    const ends = first === undefined ? [day, day] : [first, day].sort(compareDays);
    setFirst(first === undefined ? day : undefined);
    setFocused(day);
    const endMs = startMs(dayAfter(ends[1]!, 1), zone);
    onSelect({ fromMs: startMs(ends[0]!, zone), toMs: Math.min(endMs, nowMs) });
  }

  function onKeyDown(event: KeyboardEvent) {
    const to = keyTarget(event.key, focused);
    if (to === undefined) return;
    event.preventDefault();
    show(to, true);
  }

  return (
    <div>
      <MonthHead
        month={focused}
        today={today}
        onMove={(months) => show(dayInMonth(focused, months), false)}
      />
      <table ref={grid} aria-label={monthName(focused)} className="w-full" onKeyDown={onKeyDown}>
        <Weekdays />
        <tbody>
          {weeksOfMonth(focused).map((week) => (
            <tr key={dayName(week[0]!)}>
              {week.map((day) => (
                <DayCell
                  key={dayName(day)}
                  day={day}
                  isFocused={compareDays(day, focused) === 0}
                  isToday={compareDays(day, today) === 0}
                  isOther={day.month !== focused.month}
                  isFuture={compareDays(day, today) > 0}
                  isSelected={selected !== undefined && isWithin(day, selected, zone)}
                  onChoose={choose}
                />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface MonthHeadProps {
  /** A day of the month. */
  readonly month: Day;
  readonly today: Day;
  readonly onMove: (months: -1 | 1) => void;
}

function MonthHead({ month, today, onMove }: MonthHeadProps) {
  return (
    <div className="mb-1 flex items-center justify-between">
      <MonthButton label="Previous month" icon={ChevronLeft} onClick={() => onMove(-1)} />
      <span aria-live="polite" className="font-medium">
        {monthName(month)}
      </span>
      <MonthButton
        label="Next month"
        icon={ChevronRight}
        isDisabled={month.year === today.year && month.month === today.month}
        onClick={() => onMove(1)}
      />
    </div>
  );
}

function Weekdays() {
  return (
    <thead>
      <tr>
        {weekdays.map((name) => (
          <th key={name} scope="col" abbr={name} className="h-7 font-normal text-label text-muted">
            {name.slice(0, 2)}
          </th>
        ))}
      </tr>
    </thead>
  );
}

function isWithin(day: Day, { fromMs, toMs }: Bounds, zone: Zone): boolean {
  return startMs(day, zone) < toMs && startMs(dayAfter(day, 1), zone) > fromMs;
}

function keyTarget(key: string, from: Day): Day | undefined {
  const days: Record<string, number> = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -7, ArrowDown: 7 };
  if (days[key] !== undefined) return dayAfter(from, days[key]);
  if (key === "PageUp") return dayInMonth(from, -1);
  return key === "PageDown" ? dayInMonth(from, 1) : undefined;
}

interface MonthButtonProps {
  readonly label: string;
  readonly icon: typeof ChevronLeft;
  readonly isDisabled?: boolean;
  readonly onClick: () => void;
}

function MonthButton({ label, icon: Icon, isDisabled = false, onClick }: MonthButtonProps) {
  return (
    <Button variant="ghost" size="sm" aria-label={label} disabled={isDisabled} onClick={onClick}>
      <Icon aria-hidden className="size-4" strokeWidth={1.75} />
    </Button>
  );
}

interface DayCellProps {
  readonly day: Day;
  readonly isFocused: boolean;
  readonly isToday: boolean;
  readonly isOther: boolean;
  readonly isFuture: boolean;
  readonly isSelected: boolean;
  readonly onChoose: (day: Day) => void;
}

function DayCell({ day, isFocused, isToday, isOther, isFuture, isSelected, onChoose }: DayCellProps) {
  return (
    <td className="p-px">
      <button
        type="button"
        tabIndex={isFocused ? 0 : -1}
        disabled={isFuture}
        aria-label={dayName(day)}
        aria-pressed={isSelected}
        {...(isToday && { "aria-current": "date" as const })}
        onClick={() => onChoose(day)}
        className={cx(
          "grid h-7 w-full place-items-center rounded-badge text-label tabular-nums disabled:opacity-40 max-md:h-9",
          isSelected ? "bg-accent/15 font-medium text-accent-text" : "enabled:hover:bg-surface-2",
          !isSelected && (isOther ? "text-muted" : "text-text"),
          isToday && "font-semibold underline underline-offset-4",
        )}
      >
        {day.day}
      </button>
    </td>
  );
}

type Day = Pick<WallTime, "year" | "month" | "day">;

/** The day that is `days` after the given one. */
export function dayAfter({ year, month, day }: Day, days: number): Day {
  return dayOf(Date.UTC(year, month - 1, day + days), "utc");
}

/** The same day `months` later, or the last of that month if it is shorter. */
export function dayInMonth({ year, month, day }: Day, months: number): Day {
  const last = new Date(Date.UTC(year, month + months, 0)).getUTCDate();
  return dayOf(Date.UTC(year, month - 1 + months, Math.min(day, last)), "utc");
}

/** Six weeks from the Monday on or before the first of the month, so that the calendar keeps its height. */
export function weeksOfMonth({ year, month }: Pick<Day, "year" | "month">): Day[][] {
  const first = new Date(Date.UTC(year, month - 1, 1));
  const before = (first.getUTCDay() + 6) % 7;
  return Array.from({ length: 6 }, (_, week) =>
    Array.from({ length: 7 }, (__, weekday) =>
      dayAfter({ year, month, day: 1 }, week * 7 + weekday - before),
    ),
  );
}

function dayOf(ms: number, zone: Zone): Day {
  const { year, month, day } = wallTimeOf(ms, zone);
  return { year, month, day };
}

export function startMs({ year, month, day }: Day, zone: Zone): number {
  return msOfWallTime({ year, month, day, hour: 0, minute: 0, second: 0 }, zone);
}

/** Negative if the first day is earlier, 0 if they are the same. */
export function compareDays(a: Day, b: Day): number {
  return Date.UTC(a.year, a.month - 1, a.day) - Date.UTC(b.year, b.month - 1, b.day);
}

/** `Friday, November 20, 2026`. */
export function dayName(day: Day): string {
  return formatted(day, { weekday: "long", year: "numeric", month: "long", day: "numeric" });
}

/** `November 2026`. */
export function monthName(day: Day): string {
  return formatted(day, { year: "numeric", month: "long" });
}

function formatted({ year, month, day }: Day, options: Intl.DateTimeFormatOptions): string {
  const date = new Date(Date.UTC(year, month - 1, day));
  return new Intl.DateTimeFormat("en-US", { ...options, timeZone: "UTC" }).format(date);
}
