import { Badge } from "#ui/badge.tsx";
import { shownTags } from "./model.ts";

interface TagListProps {
  readonly tags: Readonly<Record<string, string>>;
  readonly limit: number;
}

export function TagList({ tags, limit }: TagListProps) {
  const { shown, hidden } = shownTags(tags, limit);
  if (shown.length === 0) return <span className="whitespace-nowrap text-muted">No tags</span>;
  return (
    <span className="flex min-w-0 items-center gap-1">
      {shown.map(([key, value]) => (
        <Badge key={key} title={`${key}: ${value}`} className="min-w-14 max-w-44 shrink">
          <span className="truncate">
            {key}: <span className="text-text">{value}</span>
          </span>
        </Badge>
      ))}
      {hidden.length > 0 && (
        <span
          className="shrink-0 text-label text-muted"
          title={hidden.map(([key, value]) => `${key}: ${value}`).join("\n")}
        >
          +{hidden.length} more
        </span>
      )}
    </span>
  );
}
