import { profileTypeLabel } from "#format/names.ts";
import { countText, plural } from "#format/number.ts";
import { profileTypeFill } from "#ui/content/profile-type-badge.tsx";
import type { TypeShare } from "./model.ts";

/** Counts by type as one bar and its legend. */
export function TypeBar({ shares }: { readonly shares: readonly TypeShare[] }) {
  return (
    <div>
      <div className="flex h-1.5 gap-px overflow-hidden rounded-full bg-surface-2">
        {shares.map(({ type, count, share }) => (
          <span
            key={type}
            title={`${profileTypeLabel(type)}: ${plural(count, "profile")}`}
            style={{ background: profileTypeFill(type), width: `${share * 100}%`, minWidth: 3 }}
          />
        ))}
      </div>
      <ul className="mt-2.5 flex flex-wrap gap-x-3 gap-y-1 text-label text-muted">
        {shares.map(({ type, count }) => (
          <li key={type} className="flex items-center gap-1.5">
            <span
              aria-hidden
              className="size-1.5 rounded-full"
              style={{ background: profileTypeFill(type) }}
            />
            {profileTypeLabel(type)}
            <span className="font-medium text-text">{countText(count)}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}
