import type { Profile } from "@flamekeep/contract";
import { Badge } from "#ui/content/badge.tsx";

export function Tags({ tags }: { readonly tags: Profile["tags"] }) {
  const entries = Object.entries(tags).sort(([a], [b]) => (a < b ? -1 : 1));
  if (entries.length === 0) return <span className="text-muted">No tags</span>;
  return (
    <ul aria-label="Tags" className="flex min-w-0 flex-wrap gap-1">
      {entries.map(([key, value]) => (
        <li key={key} className="min-w-0">
          <Badge className="max-w-full" title={`${key}: ${value}`}>
            <span className="truncate">
              {key}: <span className="text-text">{value}</span>
            </span>
          </Badge>
        </li>
      ))}
    </ul>
  );
}
