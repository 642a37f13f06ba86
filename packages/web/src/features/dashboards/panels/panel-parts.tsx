import type { PanelKind, PanelOf } from "@flamekeep/contract";
import type { ReactNode } from "react";
import type { TimeRangeState } from "#time-range/use-time-range.ts";
import { SkeletonBlocks } from "#ui/content/skeleton.tsx";

export interface PanelProps<K extends PanelKind> {
  readonly panel: PanelOf<K>;
  /** Empty for panels without a service. */
  readonly service: string;
  /** Tags that profiles must have. */
  readonly tags: Readonly<Record<string, string>>;
  readonly time: TimeRangeState;
}

/** In place of the data of a panel that has none. */
export function NoData({ children }: { readonly children: ReactNode }) {
  return <p className="wrap-anywhere px-4 pb-4 text-muted">{children}</p>;
}

export function PanelSkeleton({ className }: { readonly className: string }) {
  return <SkeletonBlocks label="Loading the panel" count={1} className={className} layoutClass="px-4 pb-4" />;
}
