import { limits, type MuteSchedule, scheduleWeekdays } from "@flamekeep/contract";
import { type Zone, zoneName } from "#format/wall-time.ts";
import { Field } from "#ui/controls/field.tsx";
import type { Form, Problem } from "#ui/controls/form-problems.tsx";
import { cx } from "#ui/cx.ts";

type Weekday = MuteSchedule["weekdays"][number];

/** The fields of a mute that recurs. */
export interface ScheduleDraft {
  readonly weekdays: readonly Weekday[];
  readonly from: string;
  readonly to: string;
  readonly timeZone: string;
}

export function firstSchedule(zone: Zone): ScheduleDraft {
  return { weekdays: [], from: "02:00", to: "05:00", timeZone: zoneName(zone) };
}

export function scheduleOf({ weekdays, from, to, timeZone }: ScheduleDraft): MuteSchedule {
  return { weekdays: [...weekdays], from, to, time_zone: timeZone.trim() };
}

export function scheduleProblems({ weekdays, from, to, timeZone }: ScheduleDraft): Problem[] {
  const problems = [
    weekdays.length === 0 && { field: "weekdays", text: "Choose at least one day" },
    from === "" && { field: "from", text: "Enter the time at which it begins" },
    to === "" && { field: "to", text: "Enter the time at which it ends" },
    timeZone.trim() === "" && { field: "timeZone", text: "Enter a time zone such as Europe/Berlin" },
  ];
  return problems.filter((problem) => problem !== false);
}

/** Weekdays, times and time zone. */
export function ScheduleFields<D extends ScheduleDraft>({ form }: { readonly form: Form<D> }) {
  const { from, to, weekdays } = form.values;
  const endsNextDay = from !== "" && to !== "" && to <= from;
  const set = (part: Partial<ScheduleDraft>) => form.set(part as Partial<D>);
  const { hint, isInvalid } = form.hintOf("weekdays");
  return (
    <>
      <div className="flex flex-col">
        <Field
          label="Time zone"
          list="time-zones"
          autoComplete="off"
          maxLength={limits.timeZoneLengthMax}
          {...form.field("timeZone", "Follows its summer time.")}
        />
        <datalist id="time-zones">
          {Intl.supportedValuesOf("timeZone").map((name) => (
            <option key={name} value={name} />
          ))}
        </datalist>
      </div>
      <fieldset className="flex flex-col gap-1.5 sm:col-span-2">
        <legend className="mb-1.5 font-medium text-body">Days</legend>
        <div className="grid grid-cols-7 gap-1">
          {scheduleWeekdays.map((day, index) => (
            <DayButton
              key={day}
              day={day}
              name={index === 0 ? "weekdays" : undefined}
              isChosen={weekdays.includes(day)}
              onClick={() => set({ weekdays: toggled(weekdays, day) })}
            />
          ))}
        </div>
        {isInvalid && <p className="text-critical-text text-label">{hint}</p>}
      </fieldset>
      <Field label="From" type="time" {...form.field("from")} />
      <Field label="To" type="time" {...form.field("to", endsNextDay ? "The next day." : undefined)} />
    </>
  );
}

interface DayButtonProps {
  readonly day: Weekday;
  readonly name: string | undefined;
  readonly isChosen: boolean;
  readonly onClick: () => void;
}

function DayButton({ day, name, isChosen, onClick }: DayButtonProps) {
  const label = day.charAt(0).toUpperCase() + day.slice(1);
  return (
    <button
      type="button"
      name={name}
      aria-label={label}
      aria-pressed={isChosen}
      onClick={onClick}
      className={cx(
        "h-9 rounded-control border text-label max-md:h-10",
        isChosen
          ? "border-accent bg-accent/12 font-medium text-text"
          : "border-line-strong bg-surface text-muted hover:bg-surface-2 hover:text-text",
      )}
    >
      {label.slice(0, 3)}
    </button>
  );
}

function toggled(weekdays: readonly Weekday[], day: Weekday): Weekday[] {
  return scheduleWeekdays.filter((each) => weekdays.includes(each) !== (each === day));
}
