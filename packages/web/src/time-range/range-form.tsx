import { type FormEvent, useState } from "react";
import { wallTimeText, type Zone } from "#format/wall-time.ts";
import { Button } from "#ui/controls/button.tsx";
import { Field } from "#ui/controls/field.tsx";
import { cx } from "#ui/cx.ts";
import { Calendar } from "./calendar.tsx";
import { repeatedText, type TypingContext, typedExamples, typedRange, typedTime } from "./typed-range.ts";
import type { TimeRangeState } from "./use-time-range.ts";
import type { ViewRange } from "./view-range.ts";

/** A time range that a form or a popover shows and changes. */
export type ChangeableRange = Pick<TimeRangeState, "range" | "change" | "zone" | "changeZone">;

interface RangeFormProps {
  readonly state: Omit<ChangeableRange, "change">;
  readonly onChoose: (range: ViewRange) => void;
}

interface Texts {
  readonly from: string;
  readonly to: string;
}

/** Typed start and end, with a calendar that fills them in. */
export function RangeForm({ state, onChoose }: RangeFormProps) {
  const { zone } = state;
  const [texts, setTexts] = useState(() => textsOf(state.range, zone));
  const [isChecked, setChecked] = useState(false);
  // Days and "2h" are counted from the time at which the form was opened.
  const [nowMs] = useState(() => Date.now());
  const context = { nowMs, zone };
  const typed = typedRange(texts.from, texts.to, context);
  // A date and time with its offset is wider than half of the form.
  const hasOffset = [texts.from, texts.to].some((text) => / [+-]\d\d:\d\d$/.test(text));
  const failure = isChecked && !typed.ok ? typed : undefined;

  function submit(event: FormEvent) {
    event.preventDefault();
    setChecked(true);
    if (typed.ok) onChoose(typed.range);
  }

  function changeZone(next: Zone) {
    setTexts({ from: inZone(texts.from, context, next), to: inZone(texts.to, context, next) });
    state.changeZone(next);
  }

  return (
    <form noValidate onSubmit={submit} className="min-w-0 flex-1 p-4">
      <div className={cx("grid gap-3", !hasOffset && "grid-cols-2")}>
        <TimeField
          label="From"
          name="from"
          value={texts.from}
          error={failure?.field === "from" ? failure.message : undefined}
          onChange={(from) => setTexts({ ...texts, from })}
        />
        <TimeField
          label="To"
          name="to"
          value={texts.to}
          error={failure?.field === "to" ? failure.message : undefined}
          onChange={(to) => setTexts({ ...texts, to })}
        />
      </div>
      <p role="status" className="mt-1.5 mb-3 text-label text-muted">
        {repeatedText(texts.from, context) ??
          repeatedText(texts.to, context) ??
          `For example ${typedExamples}`}
      </p>
      <Calendar
        zone={zone}
        nowMs={nowMs}
        selected={selectedBounds(texts, context)}
        onSelect={({ fromMs, toMs }) =>
          setTexts({ from: wallTimeText(fromMs, zone), to: toMs >= nowMs ? "now" : wallTimeText(toMs, zone) })
        }
      />
      <div className="mt-3 flex items-center justify-between gap-3">
        <ZoneSwitch zone={zone} onChange={changeZone} />
        <Button type="submit" variant="primary">
          Apply
        </Button>
      </div>
    </form>
  );
}

interface TimeFieldProps {
  readonly label: string;
  readonly name: string;
  readonly value: string;
  readonly error: string | undefined;
  readonly onChange: (value: string) => void;
}

function TimeField({ error, onChange, ...rest }: TimeFieldProps) {
  return (
    <Field
      {...rest}
      hint={error}
      isInvalid={error !== undefined}
      spellCheck={false}
      autoComplete="off"
      onChange={(event) => onChange(event.target.value)}
      className="tabular-nums"
    />
  );
}

function textsOf(range: ViewRange, zone: Zone): Texts {
  if (range.kind === "last") return { from: range.span, to: "now" };
  return { from: wallTimeText(range.fromMs, zone), to: wallTimeText(range.toMs, zone) };
}

/** A date and time in the other zone; a span stays as it is. */
function inZone(text: string, context: TypingContext, zone: Zone): string {
  const time = typedTime(text, context, "start");
  return time?.kind === "at" ? wallTimeText(time.ms, zone) : text;
}

function selectedBounds(texts: Texts, context: TypingContext) {
  const typed = typedRange(texts.from, texts.to, context);
  if (!typed.ok || typed.range.kind === "last") return undefined;
  return { fromMs: typed.range.fromMs, toMs: typed.range.toMs };
}

const zones: readonly { readonly value: Zone; readonly label: string }[] = [
  { value: "local", label: "Local" },
  { value: "utc", label: "UTC" },
];

/** In which zone times are typed and shown, in the whole app. */
function ZoneSwitch(props: { readonly zone: Zone; readonly onChange: (zone: Zone) => void }) {
  return (
    <fieldset className="inline-flex rounded-control border border-line-strong p-0.5">
      <legend className="sr-only">Time zone</legend>
      {zones.map(({ value, label }) => (
        <label
          key={value}
          title={
            value === "local"
              ? Intl.DateTimeFormat().resolvedOptions().timeZone
              : "Coordinated Universal Time"
          }
          className={cx(
            "grid h-7 cursor-pointer place-items-center rounded-badge px-2.5 text-label has-focus-visible:outline-2 has-focus-visible:outline-accent max-md:h-9",
            value === props.zone ? "bg-surface-2 font-medium text-text" : "text-muted hover:text-text",
          )}
        >
          <input
            type="radio"
            name="time-zone"
            value={value}
            checked={value === props.zone}
            onChange={() => props.onChange(value)}
            className="sr-only"
          />
          {label}
        </label>
      ))}
    </fieldset>
  );
}
