import { CircleAlert } from "lucide-react";
import { Button } from "#ui/controls/button.tsx";

interface PartFailureProps {
  readonly message: string;
  readonly onRetry: () => void;
}

/** The last row of a card without some of its figures: why they are missing, and another try. */
export function PartFailure({ message, onRetry }: PartFailureProps) {
  return (
    <div role="alert" className="flex flex-wrap items-center gap-x-3 gap-y-2 border-line border-t px-4 py-3">
      <CircleAlert aria-hidden className="size-4 shrink-0 text-critical-text" strokeWidth={1.75} />
      <div className="min-w-0 flex-1">
        <p className="font-medium">Failed to load some figures</p>
        <p className="text-label text-muted wrap-anywhere">{message}</p>
      </div>
      <Button size="sm" onClick={onRetry}>
        Try Again
      </Button>
    </div>
  );
}
