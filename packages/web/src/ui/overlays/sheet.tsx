import { Dialog as Base } from "@base-ui/react/dialog";
import { X } from "lucide-react";
import type { ReactNode } from "react";

interface SheetProps {
  readonly isOpen: boolean;
  readonly onOpenChange: (isOpen: boolean) => void;
  readonly title: string;
  readonly children: ReactNode;
}

/** A panel from the left edge: the sidebar on a phone. */
export function Sheet({ isOpen, onOpenChange, title, children }: SheetProps) {
  return (
    <Base.Root open={isOpen} onOpenChange={onOpenChange}>
      <Base.Portal>
        <Base.Backdrop className="fixed inset-0 z-40 bg-[oklch(0.12_0.01_60/0.5)] transition-opacity duration-150 data-[ending-style]:opacity-0 data-[starting-style]:opacity-0" />
        <Base.Popup className="fixed inset-y-0 left-0 z-50 w-72 overflow-y-auto border-line border-r bg-surface shadow-float transition-transform duration-150 ease-out data-[ending-style]:-translate-x-full data-[starting-style]:-translate-x-full">
          <Base.Title className="sr-only">{title}</Base.Title>
          {children}
          <Base.Close
            aria-label="Close"
            className="absolute top-3 right-3 grid size-10 place-items-center rounded-control text-muted hover:bg-surface-2 hover:text-text"
          >
            <X aria-hidden className="size-4" />
          </Base.Close>
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}
