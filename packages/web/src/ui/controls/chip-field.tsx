import type { LucideIcon } from "lucide-react";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { cx } from "#ui/cx.ts";

export const chipFieldClass =
  "flex min-h-9 flex-1 cursor-text flex-wrap items-center gap-1 rounded-control border border-line-strong bg-surface py-1 pr-2 pl-2.5 focus-within:outline-2 focus-within:-outline-offset-1 focus-within:outline-accent max-md:min-h-10";
export const chipInputClass = "h-6 min-w-10 flex-1 bg-transparent outline-none placeholder:text-muted";

/** How far somebody has come with the plain field before the combobox replaces it. */
export interface FieldStart {
  readonly hasFocus: boolean;
  readonly text: string;
  readonly isOpen: boolean;
}

interface ChipFieldProps<T> {
  /** Loads the combobox; must be stable. */
  readonly load: () => Promise<T>;
  readonly icon: LucideIcon;
  /** Accessible name of the field. */
  readonly label: string;
  readonly placeholder: string;
  /** Whether something is chosen already, which only the combobox shows. */
  readonly isFilled: boolean;
  /** Whether the field has the focus at first. */
  readonly isActive: boolean;
  readonly className: string;
  readonly children: (parts: T, start: FieldStart) => ReactNode;
}

/** A combobox of chips: a plain field until somebody reaches for it, because most visits do not need the code of its list. */
export function ChipField<T>({ load, isFilled, isActive, className, children, ...field }: ChipFieldProps<T>) {
  const [opened, setOpened] = useState<{ readonly parts: T; readonly start: FieldStart }>();
  const input = useRef<HTMLInputElement>(null);
  const wasPressed = useRef(false);
  const isNeeded = isFilled || isActive;
  useEffect(() => {
    if (!isNeeded) return;
    const start: FieldStart = { hasFocus: isActive, text: "", isOpen: false };
    load().then((parts) => setOpened((first) => first ?? { parts, start }), console.warn);
  }, [isNeeded, isActive, load]);

  if (opened !== undefined) return children(opened.parts, opened.start);
  if (isNeeded) return <div className={cx(chipFieldClass, className)} />;

  const { icon: Icon, label, placeholder } = field;
  const replace = (parts: T) => {
    const text = input.current?.value ?? "";
    const hasFocus = input.current !== null && document.activeElement === input.current;
    const isOpen = hasFocus && (wasPressed.current || text !== "");
    // At once: a letter that is typed until a later rendering would be lost with the field.
    flushSync(() => setOpened({ parts, start: { hasFocus, text, isOpen } }));
  };
  return (
    <label className={cx(chipFieldClass, className)}>
      <Icon aria-hidden className="size-4 shrink-0 text-muted" strokeWidth={1.75} />
      <input
        ref={input}
        role="combobox"
        aria-label={label}
        aria-expanded={false}
        aria-haspopup="listbox"
        autoComplete="off"
        placeholder={placeholder}
        className={chipInputClass}
        onPointerEnter={() => void load().catch(console.warn)}
        onPointerDown={() => {
          wasPressed.current = true;
        }}
        onFocus={() => void load().then(replace, console.warn)}
      />
    </label>
  );
}
