import { Select as Base } from "@base-ui/react/select";
import { Check, ChevronDown } from "lucide-react";
import { cx } from "#ui/cx.ts";
import { touchTarget } from "./button.tsx";

interface SelectOption<V extends string> {
  readonly value: V;
  readonly label: string;
}

interface SelectProps<V extends string> {
  readonly label: string;
  readonly value: V;
  readonly options: readonly SelectOption<V>[];
  readonly onChange: (value: V) => void;
  readonly className?: string;
  readonly size?: "sm" | "md";
}

export function Select<V extends string>({
  label,
  value,
  options,
  onChange,
  className,
  size = "md",
}: SelectProps<V>) {
  return (
    <Base.Root
      items={options}
      value={value}
      onValueChange={(next) => next !== null && onChange(next)}
      modal={false}
    >
      <Base.Trigger
        aria-label={label}
        className={cx(
          "inline-flex items-center justify-between gap-2 rounded-control border border-line-strong bg-surface pr-2 pl-3 transition-colors duration-150 hover:bg-surface-2 data-[popup-open]:bg-surface-2",
          touchTarget,
          size === "sm" ? "h-8 text-label" : "h-9 text-body",
          className,
        )}
      >
        <Base.Value className="truncate" />
        <Base.Icon>
          <ChevronDown aria-hidden className="size-4 text-muted" strokeWidth={1.75} />
        </Base.Icon>
      </Base.Trigger>
      <Base.Portal>
        <Base.Positioner sideOffset={6} alignItemWithTrigger={false} className="z-50 outline-none">
          <Base.Popup className="max-h-[var(--available-height)] min-w-[var(--anchor-width)] overflow-y-auto rounded-control border border-line bg-surface p-1 shadow-float outline-none transition-opacity duration-120 data-[ending-style]:opacity-0 data-[starting-style]:opacity-0">
            {options.map((option) => (
              <Base.Item
                key={option.value}
                value={option.value}
                className="flex h-8 max-md:min-h-10 cursor-default items-center gap-2 rounded-badge pr-3 pl-2 text-body outline-none data-[highlighted]:bg-surface-2"
              >
                <span className="grid size-4 place-items-center">
                  <Base.ItemIndicator>
                    <Check aria-hidden className="size-4 text-accent-text" />
                  </Base.ItemIndicator>
                </span>
                <Base.ItemText>{option.label}</Base.ItemText>
              </Base.Item>
            ))}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}
