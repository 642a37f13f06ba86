import { Tooltip as Base } from "@base-ui/react/tooltip";
import type { ReactElement, ReactNode } from "react";

/** Milliseconds before a tooltip opens, in the collapsed sidebar sooner, and within which the next one opens at once. */
export const tooltipDelays = { open: 700, sidebar: 100, skip: 300 } as const;

interface TooltipProps {
  readonly content: ReactNode;
  readonly side?: "top" | "right" | "bottom" | "left";
  /** Milliseconds before it opens. */
  readonly delay?: number;
  readonly isDisabled?: boolean;
  /** One element that takes a ref and event handlers. */
  readonly children: ReactElement;
}

export function Tooltip(props: TooltipProps) {
  const { content, side = "top", delay = tooltipDelays.open, isDisabled = false, children } = props;
  return (
    <Base.Root disabled={isDisabled}>
      <Base.Trigger delay={delay} render={children} />
      <Base.Portal>
        <Base.Positioner side={side} sideOffset={8} className="z-50">
          <Base.Popup className="max-w-80 rounded-control bg-text px-2.5 py-1.5 text-bg text-label shadow-float transition-opacity duration-120 data-[ending-style]:opacity-0 data-[starting-style]:opacity-0">
            {content}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}

export function TooltipProvider({ children }: { readonly children: ReactNode }) {
  return <Base.Provider timeout={tooltipDelays.skip}>{children}</Base.Provider>;
}
