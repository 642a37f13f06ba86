import { Link } from "@tanstack/react-router";
import { ArrowLeftRight } from "lucide-react";
import { Button, buttonClass } from "#ui/controls/button.tsx";
import { comparisonOf, type PickedProfiles } from "./use-picked.ts";

/** Says what is missing for a comparison, and opens it. */
export function CompareBar({ picked: { picked, clear } }: { readonly picked: PickedProfiles }) {
  const [first, second] = picked;
  if (first === undefined) return null;
  return (
    <div className="flex items-center gap-2">
      {second === undefined ? (
        <span className="text-label text-muted">Select a second profile to compare</span>
      ) : (
        <Link {...comparisonOf([first, second])} className={buttonClass("secondary")}>
          <ArrowLeftRight aria-hidden className="size-4" strokeWidth={1.75} />
          Compare 2 profiles
        </Link>
      )}
      <Button variant="ghost" onClick={clear}>
        Clear selection
      </Button>
    </div>
  );
}
