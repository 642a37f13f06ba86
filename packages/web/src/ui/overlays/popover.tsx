import { Popover as Base } from "@base-ui/react/popover";
import { type ReactElement, type ReactNode, useState } from "react";
import { cx } from "#ui/cx.ts";

interface PopoverProps {
  readonly trigger: ReactElement;
  /** Given the popover's own way to close it. */
  readonly children: (close: () => void) => ReactNode;
  readonly title: string;
  readonly titleClass: string;
  readonly className: string;
  readonly gap?: number;
  readonly margin?: number;
}

/** A panel at its trigger, for content that is more than a menu. It opens when it is mounted: see `useFirstUse`. */
export function Popover({
  trigger,
  children,
  title,
  titleClass,
  className,
  gap = 8,
  margin = 16,
}: PopoverProps) {
  const [isOpen, setOpen] = useState(true);
  return (
    <Base.Root open={isOpen} onOpenChange={(open) => setOpen(open)}>
      <Base.Trigger render={trigger} />
      <Base.Portal>
        <Base.Positioner sideOffset={gap} align="end" collisionPadding={margin} className="z-50">
          <Base.Popup
            className={cx(
              "overflow-y-auto rounded-card border border-line bg-surface shadow-float outline-none transition-opacity duration-120 data-[ending-style]:opacity-0 data-[starting-style]:opacity-0",
              className,
            )}
          >
            <Base.Title className={titleClass}>{title}</Base.Title>
            {children(() => setOpen(false))}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}
