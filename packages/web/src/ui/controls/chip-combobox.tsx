import { Combobox } from "@base-ui/react/combobox";
import { Check, type LucideIcon, X } from "lucide-react";
import type { ReactNode } from "react";
import { cx } from "#ui/cx.ts";
import { chipFieldClass, chipInputClass } from "./chip-field.tsx";

interface ChipInputProps {
  readonly icon: LucideIcon;
  readonly label: string;
  /** Empty where something is chosen. */
  readonly placeholder: string;
  /** Whether the field has the focus at first. */
  readonly isActive?: boolean;
  readonly className: string;
  /** A `Chip` for each choice. */
  readonly children: ReactNode;
}

/** The field of a combobox with several choices: they are chips before the text. */
export function ChipInput(props: ChipInputProps) {
  const { icon: Icon, label, placeholder, isActive = false, className, children } = props;
  return (
    <Combobox.InputGroup className={cx(chipFieldClass, className)}>
      <Icon aria-hidden className="size-4 shrink-0 text-muted" strokeWidth={1.75} />
      <Combobox.Chips className="contents">
        {children}
        <Combobox.Input
          aria-label={label}
          autoFocus={isActive}
          placeholder={placeholder}
          className={chipInputClass}
        />
      </Combobox.Chips>
    </Combobox.InputGroup>
  );
}

interface ChipProps {
  /** Read to screen readers, and shown under the pointer. */
  readonly name: string;
  readonly removeLabel: string;
  readonly className: string;
  readonly children: ReactNode;
}

export function Chip({ name, removeLabel, className, children }: ChipProps) {
  return (
    <Combobox.Chip
      aria-label={name}
      title={name}
      className={cx(
        "flex h-6 min-w-0 cursor-default items-center gap-1 rounded-badge bg-surface-2 pl-1.5 text-label outline-none focus-within:outline-2 focus-within:outline-accent",
        className,
      )}
    >
      {children}
      <Combobox.ChipRemove
        aria-label={removeLabel}
        className="grid size-6 shrink-0 place-items-center rounded-badge text-muted hover:bg-line hover:text-text"
      >
        <X aria-hidden className="size-3" />
      </Combobox.ChipRemove>
    </Combobox.Chip>
  );
}

interface OptionListProps<T> {
  /** The text where no option matches. */
  readonly empty: string;
  /** An `Option`. */
  readonly children: (option: T) => ReactNode;
}

export function OptionList<T>({ empty, children }: OptionListProps<T>) {
  return (
    <Combobox.Portal>
      <Combobox.Positioner sideOffset={6} align="start" className="z-50 outline-none">
        <Combobox.Popup className="max-h-[min(var(--available-height),24rem)] w-[max(var(--anchor-width),18rem)] max-w-[var(--available-width)] overflow-y-auto rounded-control border border-line bg-surface p-1 shadow-float outline-none transition-opacity duration-120 data-[ending-style]:opacity-0 data-[starting-style]:opacity-0">
          <Combobox.Empty>
            <p className="px-2.5 py-2 text-muted empty:hidden">{empty}</p>
          </Combobox.Empty>
          <Combobox.List>{children}</Combobox.List>
        </Combobox.Popup>
      </Combobox.Positioner>
    </Combobox.Portal>
  );
}

export function Option({ value, children }: { readonly value: unknown; readonly children: ReactNode }) {
  return (
    <Combobox.Item
      value={value}
      className="flex h-8 cursor-default items-center gap-2 rounded-badge pr-2.5 pl-2 outline-none data-[highlighted]:bg-surface-2 max-md:min-h-10"
    >
      <span className="grid size-4 shrink-0 place-items-center">
        <Combobox.ItemIndicator>
          <Check aria-hidden className="size-4 text-accent-text" />
        </Combobox.ItemIndicator>
      </span>
      {children}
    </Combobox.Item>
  );
}
