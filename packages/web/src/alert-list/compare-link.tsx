import type { Alert } from "@flamekeep/contract";
import { Link } from "@tanstack/react-router";
import { ArrowLeftRight, RadioTower } from "lucide-react";
import { alertComparison } from "./model.ts";

const linkClass =
  "grid size-8 place-items-center rounded-control text-muted hover:bg-surface-2 hover:text-text max-md:size-10";

/** Opens the comparison of the two ranges that an alert compared; of a silence, the sender, because there is nothing to compare. */
export function CompareLink({ alert, onClick }: { readonly alert: Alert; readonly onClick?: () => void }) {
  if (alert.signal === "silence")
    return (
      <Link
        to="/senders"
        search={{ service: alert.service }}
        onClick={onClick}
        title="Open the sender"
        aria-label={`Open the sender: ${alert.service}`}
        className={linkClass}
      >
        <RadioTower aria-hidden className="size-4" strokeWidth={1.75} />
      </Link>
    );
  return (
    <Link
      {...alertComparison(alert)}
      onClick={onClick}
      title="Compare before and after"
      aria-label={`Compare before and after: ${alert.service}`}
      className={linkClass}
    >
      <ArrowLeftRight aria-hidden className="size-4" strokeWidth={1.75} />
    </Link>
  );
}
