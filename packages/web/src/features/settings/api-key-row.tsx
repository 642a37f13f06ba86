import type { ApiKey } from "@flamekeep/contract";
import { dateText, exactTime } from "#format/time.ts";
import { Badge } from "#ui/content/badge.tsx";
import { RelativeTime } from "#ui/content/values.tsx";
import { Button } from "#ui/controls/button.tsx";

interface ApiKeyRowProps {
  readonly apiKey: ApiKey;
  /** Absent for people with read access only. */
  readonly onRevoke?: () => void;
}

export function ApiKeyRow({ apiKey, onRevoke }: ApiKeyRowProps) {
  return (
    <li className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-6 gap-y-1.5 px-4 py-3 lg:grid-cols-[minmax(0,1fr)_8rem_8rem_5rem]">
      <div className="min-w-0">
        <p className="flex min-w-0 items-center gap-2">
          <span className="truncate font-medium" title={apiKey.name}>
            {apiKey.name}
          </span>
          {apiKey.scope === "read" && <Badge title="Reads through /mcp, for a coding agent">Read</Badge>}
          <Badge tone={apiKey.is_active ? "ok" : "neutral"}>{apiKey.is_active ? "Active" : "Inactive"}</Badge>
        </p>
        <p className="truncate font-mono text-label text-muted">{apiKey.prefix}…</p>
      </div>
      <div className="flex flex-wrap gap-x-4 text-label max-lg:order-last max-lg:col-span-2 lg:contents">
        <p>
          <span className="text-muted lg:block">Created </span>
          <span title={exactTime(apiKey.created_at)}>{dateText(apiKey.created_at)}</span>
        </p>
        <p>
          <span className="text-muted lg:block">Last used </span>
          {apiKey.last_used ? <RelativeTime at={apiKey.last_used} /> : "Never"}
        </p>
      </div>
      <span className="text-right">
        {apiKey.is_active && onRevoke && (
          <Button size="sm" variant="danger" onClick={onRevoke} aria-label={`Revoke ${apiKey.name}`}>
            Revoke
          </Button>
        )}
      </span>
    </li>
  );
}
