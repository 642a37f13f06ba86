import { findProfileType } from "@flamekeep/contract";
import type { CSSProperties } from "react";
import { profileTypeLabel, profileTypeToken } from "#format/names.ts";
import { cx } from "#ui/cx.ts";
import { badgeShape } from "./badge.tsx";

export function ProfileTypeBadge({ type }: { readonly type: string }) {
  const isColoured = findProfileType(type) !== undefined;
  return (
    <span
      className={cx(badgeShape, isColoured ? "type-tint" : "bg-surface-2 text-muted")}
      style={isColoured ? ({ "--type-ink": profileTypeFill(type) } as CSSProperties) : undefined}
    >
      {profileTypeLabel(type)}
    </span>
  );
}

/** The solid colour of a profile type, for dots and bars. */
export function profileTypeFill(type: string): string {
  return `var(--${profileTypeToken(type)})`;
}
