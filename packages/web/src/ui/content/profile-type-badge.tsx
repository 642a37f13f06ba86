import { profileTypeLabel } from "#format/names.ts";
import { cx } from "#ui/cx.ts";
import { badgeShape } from "./badge.tsx";

const tints: Record<string, string> = {
  cpu: "text-type-cpu bg-type-cpu/12",
  memory: "text-type-memory bg-type-memory/12",
  goroutine: "text-type-goroutine bg-type-goroutine/12",
  goroutine_leak: "text-type-goroutine-leak bg-type-goroutine-leak/12",
  mutex: "text-type-mutex bg-type-mutex/12",
  block: "text-type-block bg-type-block/14",
  custom: "text-type-custom bg-type-custom/12",
  metrics: "text-type-metrics bg-type-metrics/14",
  wall: "text-type-custom bg-type-custom/12",
};

const fills: Record<string, string> = {
  cpu: "bg-type-cpu",
  memory: "bg-type-memory",
  goroutine: "bg-type-goroutine",
  goroutine_leak: "bg-type-goroutine-leak",
  mutex: "bg-type-mutex",
  block: "bg-type-block",
  custom: "bg-type-custom",
  metrics: "bg-type-metrics",
  wall: "bg-type-custom",
};

export function ProfileTypeBadge({ type }: { readonly type: string }) {
  return (
    <span className={cx(badgeShape, tints[type] ?? "bg-surface-2 text-muted")}>{profileTypeLabel(type)}</span>
  );
}

/** The solid colour of a profile type, for dots and bars. */
export function profileTypeFill(type: string): string {
  return fills[type] ?? "bg-muted";
}
