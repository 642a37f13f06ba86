import type { Alert } from "@flamekeep/contract";
import { Link } from "@tanstack/react-router";
import { ArrowLeftRight } from "lucide-react";
import { alertComparison } from "./model.ts";

/** Opens the comparison of the two ranges that an alert compared. */
export function CompareLink({ alert, onClick }: { readonly alert: Alert; readonly onClick?: () => void }) {
  return (
    <Link
      {...alertComparison(alert)}
      onClick={onClick}
      title="Compare before and after"
      aria-label={`Compare before and after: ${alert.service}`}
      className="grid size-8 place-items-center rounded-control text-muted hover:bg-surface-2 hover:text-text max-md:size-10"
    >
      <ArrowLeftRight aria-hidden className="size-4" strokeWidth={1.75} />
    </Link>
  );
}
