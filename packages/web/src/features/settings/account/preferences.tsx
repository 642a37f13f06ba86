import { Globe, MapPin, Monitor, Moon, Sun } from "lucide-react";
import { type ReactNode, useId } from "react";
import type { Zone } from "#format/wall-time.ts";
import { chooseTheme, type ThemeChoice, useThemeChoice } from "#preferences/theme.ts";
import { chooseZone, useZone } from "#preferences/time-zone.ts";
import { Card, CardHeader } from "#ui/content/card.tsx";
import { cx } from "#ui/cx.ts";

interface Option<V extends string> {
  readonly value: V;
  readonly label: string;
  readonly detail: string;
  readonly icon: ReactNode;
}

const themes: readonly Option<ThemeChoice>[] = [
  { value: "light", label: "Light", detail: "Always", icon: <Sun aria-hidden strokeWidth={1.75} /> },
  { value: "dark", label: "Dark", detail: "Always", icon: <Moon aria-hidden strokeWidth={1.75} /> },
  {
    value: "system",
    label: "System",
    detail: "As your device",
    icon: <Monitor aria-hidden strokeWidth={1.75} />,
  },
];

const zones: readonly Option<Zone>[] = [
  {
    value: "local",
    label: "Local",
    detail: Intl.DateTimeFormat().resolvedOptions().timeZone,
    icon: <MapPin aria-hidden strokeWidth={1.75} />,
  },
  {
    value: "utc",
    label: "UTC",
    detail: "Coordinated Universal Time",
    icon: <Globe aria-hidden strokeWidth={1.75} />,
  },
];

/** Choices of this browser. They apply at once, so there is nothing to save. */
export function Preferences() {
  const theme = useThemeChoice();
  const zone = useZone();
  return (
    <Card>
      <CardHeader title="Preferences" detail="Kept in this browser. Changes apply at once." />
      <Choice name="theme" label="Theme" options={themes} value={theme} onChange={chooseTheme} />
      <Choice name="time_zone" label="Time zone" options={zones} value={zone} onChange={chooseZone} />
    </Card>
  );
}

interface ChoiceProps<V extends string> {
  readonly name: string;
  readonly label: string;
  readonly options: readonly Option<V>[];
  readonly value: V;
  readonly onChange: (value: V) => void;
}

function Choice<V extends string>({ name, label, options, value, onChange }: ChoiceProps<V>) {
  const labelId = useId();
  return (
    <div className="grid gap-2 border-line border-t px-4 py-3 sm:grid-cols-[12rem_minmax(0,1fr)] sm:items-center">
      <span id={labelId} className="font-medium">
        {label}
      </span>
      <div role="radiogroup" aria-labelledby={labelId} className="flex flex-wrap gap-2">
        {options.map((option) => (
          <label
            key={option.value}
            className={cx(
              "flex min-w-32 flex-1 cursor-pointer items-center gap-3 rounded-control border px-3 py-2 transition-colors duration-150 has-focus-visible:outline-2 has-focus-visible:outline-accent has-focus-visible:outline-offset-2 [&_svg]:size-4 [&_svg]:text-muted",
              option.value === value ? "border-accent bg-accent/8" : "border-line-strong hover:bg-surface-2",
            )}
          >
            <input
              type="radio"
              name={name}
              value={option.value}
              checked={option.value === value}
              onChange={() => onChange(option.value)}
              className="sr-only"
            />
            {option.icon}
            <span>
              <span className="block font-medium">{option.label}</span>
              <span className="block text-label text-muted">{option.detail}</span>
            </span>
          </label>
        ))}
      </div>
    </div>
  );
}
