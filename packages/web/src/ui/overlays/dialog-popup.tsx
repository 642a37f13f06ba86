import { Dialog as Base } from "@base-ui/react/dialog";
import { X } from "lucide-react";
import { type ReactNode, useRef } from "react";
import { cx } from "#ui/cx.ts";

export interface DialogProps {
  readonly onClose: () => void;
  /** Default true: most dialogs are rendered as long as they are open. */
  readonly isOpen?: boolean;
  readonly title: string;
  readonly description?: ReactNode;
  readonly children: ReactNode;
  /** False where closing by accident would lose something, such as a key shown once. */
  readonly isDismissible?: boolean;
  readonly size?: "normal" | "wide";
  /** Gets the focus when the dialog closes; null or absent: the element that had it before. */
  readonly finalFocus?: () => HTMLElement | null;
}

/** Password managers read the hidden ones. */
const firstField = "input:not([hidden]), textarea";

export function DialogPopup({
  isOpen = true,
  onClose,
  title,
  description,
  children,
  isDismissible = true,
  size = "normal",
  finalFocus,
}: DialogProps) {
  const popup = useRef<HTMLDivElement>(null);
  return (
    <Base.Root
      open={isOpen}
      // Also ignores Escape; such a dialog has its own button that closes it.
      onOpenChange={(open) => !open && isDismissible && onClose()}
      disablePointerDismissal={!isDismissible}
    >
      <Base.Portal>
        <Base.Backdrop className="fixed inset-0 z-40 bg-[oklch(0.12_0.01_60/0.5)] transition-opacity duration-150 data-[ending-style]:opacity-0 data-[starting-style]:opacity-0" />
        <Base.Popup
          ref={popup}
          // Focuses the first field instead of the Close button, except on touch screens, where that would open the keyboard.
          initialFocus={(opened) => opened === "touch" || (popup.current?.querySelector(firstField) ?? true)}
          finalFocus={finalFocus}
          className={cx(
            size === "wide" ? "w-[min(48rem,calc(100vw-2rem))]" : "w-[min(30rem,calc(100vw-2rem))]",
            "-translate-1/2 fixed top-1/2 left-1/2 z-50 max-h-[calc(100dvh-2rem)] overflow-y-auto rounded-card border border-line bg-surface p-5 shadow-float transition-[opacity,scale] duration-150 data-[ending-style]:scale-98 data-[starting-style]:scale-98 data-[ending-style]:opacity-0 data-[starting-style]:opacity-0",
          )}
        >
          <div className="mb-4 flex items-start justify-between gap-4">
            <div>
              <Base.Title className="font-semibold text-card tracking-tight">{title}</Base.Title>
              {description && <Base.Description className="mt-1 text-muted">{description}</Base.Description>}
            </div>
            {isDismissible && (
              <Base.Close
                aria-label="Close"
                className="-m-1 grid size-7 shrink-0 max-md:-m-2.5 max-md:size-10 place-items-center rounded-control text-muted hover:bg-surface-2 hover:text-text"
              >
                <X aria-hidden className="size-4" />
              </Base.Close>
            )}
          </div>
          {children}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}
