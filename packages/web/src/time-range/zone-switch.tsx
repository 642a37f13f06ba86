import type { Zone } from "#format/wall-time.ts";
import { cx } from "#ui/cx.ts";

const zones: readonly { readonly value: Zone; readonly label: string }[] = [
  { value: "local", label: "Local" },
  { value: "utc", label: "UTC" },
];

/** In which zone times are typed and shown, in the whole app. */
export function ZoneSwitch(props: { readonly zone: Zone; readonly onChange: (zone: Zone) => void }) {
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
