import type { LucideIcon } from "lucide-react";
import { type ReactNode, useCallback, useEffect, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { cx } from "#ui/cx.ts";
import { Button } from "./button.tsx";

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
  /** The choices so far. The combobox shows them as chips with a button to remove each. */
  readonly chosen: readonly string[];
  /** Whether the field has the focus at first. */
  readonly isActive: boolean;
  readonly className: string;
  readonly children: (parts: T, start: FieldStart) => ReactNode;
}

/** A combobox of chips: a plain field until somebody reaches for it, because most visits do not need the code of its list. */
export function ChipField<T>({ load, chosen, isActive, className, children, ...field }: ChipFieldProps<T>) {
  const [opened, setOpened] = useState<{ readonly parts: T; readonly start: FieldStart }>();
  const [hasFailed, setFailed] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const wasPressed = useRef(false);
  const isNeeded = chosen.length > 0 || isActive;
  const fail = useCallback((error: unknown) => {
    console.warn(error);
    setFailed(true);
  }, []);
  useEffect(() => {
    if (!isNeeded) return;
    const start: FieldStart = { hasFocus: isActive, text: "", isOpen: false };
    load().then((parts) => setOpened((first) => first ?? { parts, start }), fail);
  }, [isNeeded, isActive, load, fail]);

  if (opened !== undefined) return children(opened.parts, opened.start);
  if (isNeeded && !hasFailed) return <div className={cx(chipFieldClass, className)} />;

  const { icon: Icon, label, placeholder } = field;
  const replace = (parts: T) => {
    const text = input.current?.value ?? "";
    const hasFocus = input.current !== null && document.activeElement === input.current;
    const isOpen = hasFocus && (wasPressed.current || text !== "");
    // At once: a letter that is typed until a later rendering would be lost with the field.
    flushSync(() => setOpened({ parts, start: { hasFocus, text, isOpen } }));
  };
  const open = () => void load().then(replace, fail);
  return (
    <div className={cx(chipFieldClass, className)}>
      <label className="flex min-w-0 flex-1 flex-wrap items-center gap-1">
        <Icon aria-hidden className="size-4 shrink-0 text-muted" strokeWidth={1.75} />
        {chosen.map((text) => (
          <Chip key={text} text={text} />
        ))}
        <input
          ref={input}
          role="combobox"
          aria-label={label}
          aria-expanded={false}
          aria-haspopup="listbox"
          autoComplete="off"
          placeholder={chosen.length === 0 ? placeholder : ""}
          className={chipInputClass}
          onPointerEnter={() => void load().catch(console.warn)}
          onPointerDown={() => {
            wasPressed.current = true;
          }}
          onFocus={open}
        />
      </label>
      {hasFailed && <LoadFailure onRetry={open} />}
    </div>
  );
}

function Chip({ text }: { readonly text: string }) {
  return (
    <span className="max-w-56 truncate rounded-badge bg-surface-2 px-1.5 text-label leading-6">{text}</span>
  );
}

function LoadFailure({ onRetry }: { readonly onRetry: () => void }) {
  return (
    <span role="alert" className="flex items-center gap-2 text-critical-text text-label">
      The choices did not load.
      <Button size="sm" className="h-6" onClick={onRetry}>
        Try Again
      </Button>
    </span>
  );
}
