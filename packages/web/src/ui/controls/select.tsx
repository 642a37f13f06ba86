import { ChevronDown } from "lucide-react";
import { importOnce } from "#api/import-page.ts";
import { cx } from "#ui/cx.ts";
import { useFirstUse } from "#ui/hooks/first-use.ts";
import { touchTarget } from "./button.tsx";
import type { SelectProps } from "./select-popup.tsx";

const loadSelect = importOnce(() => import("./select-popup.tsx"));

export function Select<V extends string>({ className, size = "md", ...select }: SelectProps<V>) {
  const { used, triggerProps } = useFirstUse(loadSelect, "listbox");
  const { label, value, options } = select;
  const triggerClass = cx(
    "inline-flex items-center justify-between gap-2 rounded-control border border-line-strong bg-surface pr-2 pl-3 transition-colors duration-150 hover:bg-surface-2 disabled:opacity-60 data-[popup-open]:bg-surface-2",
    touchTarget,
    size === "sm" ? "h-8 text-label" : "h-9 text-body",
    className,
  );
  const icon = <ChevronDown aria-hidden className="size-4 text-muted" strokeWidth={1.75} />;
  if (used !== undefined) {
    const { OpenedSelect } = used.parts;
    return <OpenedSelect {...select} className={triggerClass} icon={icon} isByKeyboard={used.isByKeyboard} />;
  }
  return (
    <button
      type="button"
      role="combobox"
      aria-expanded={false}
      aria-label={label}
      className={triggerClass}
      {...triggerProps}
    >
      <span className="truncate">{options.find((option) => option.value === value)?.label}</span>
      <span aria-hidden>{icon}</span>
    </button>
  );
}

/** A select under its name, as a field of a form. */
export function LabelledSelect<V extends string>(props: Omit<SelectProps<V>, "className" | "size">) {
  return (
    <div className="flex flex-col gap-1.5">
      <span aria-hidden className="font-medium text-body">
        {props.label}
      </span>
      <Select {...props} className="w-full" />
    </div>
  );
}
