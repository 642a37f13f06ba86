import { Select as Base } from "@base-ui/react/select";
import { Check } from "lucide-react";
import type { ReactNode } from "react";
import { useTakeover } from "#ui/hooks/first-use.ts";

interface OpenedSelectProps<V extends string>
  extends Pick<SelectProps<V>, "label" | "value" | "options" | "onChange"> {
  readonly className: string;
  readonly icon: ReactNode;
  readonly isByKeyboard: boolean;
}

/** The select from its first opening on. */
export function OpenedSelect<V extends string>({
  label,
  value,
  options,
  onChange,
  className,
  icon,
  isByKeyboard,
}: OpenedSelectProps<V>) {
  const trigger = useTakeover(isByKeyboard);
  return (
    <Base.Root
      items={options}
      value={value}
      onValueChange={(next) => next !== null && onChange(next)}
      modal={false}
      defaultOpen={!isByKeyboard}
    >
      <Base.Trigger ref={trigger} aria-label={label} className={className}>
        <Base.Value className="truncate" />
        <Base.Icon>{icon}</Base.Icon>
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

interface SelectOption<V extends string> {
  readonly value: V;
  readonly label: string;
}

export interface SelectProps<V extends string> {
  readonly label: string;
  readonly value: V;
  readonly options: readonly SelectOption<V>[];
  readonly onChange: (value: V) => void;
  readonly className?: string;
  readonly size?: "sm" | "md";
}
