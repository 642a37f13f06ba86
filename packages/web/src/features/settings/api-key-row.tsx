import type { ApiKey } from "@flamekeep/contract";
import { useId, useState } from "react";
import { dateText, exactTime } from "#format/time.ts";
import { Badge } from "#ui/content/badge.tsx";
import { RelativeTime } from "#ui/content/values.tsx";
import { Button } from "#ui/controls/button.tsx";
import { ExpandButton } from "#ui/controls/expand-button.tsx";
import { useMinute } from "#ui/hooks/use-now.ts";
import { expiryOf } from "./key-expiry.ts";
import { KeyUsage } from "./key-usage.tsx";

interface ApiKeyRowProps {
  readonly apiKey: ApiKey;
  /** Absent for people with read access only. */
  readonly onRevoke?: () => void;
}

export function ApiKeyRow({ apiKey, onRevoke }: ApiKeyRowProps) {
  const [isOpen, setIsOpen] = useState(false);
  const usageId = useId();
  return (
    <li className="px-4 py-3">
      <div className="grid grid-cols-[auto_minmax(0,1fr)_auto] items-center gap-x-3 gap-y-1.5 lg:grid-cols-[auto_minmax(0,1fr)_7rem_8rem_7rem_5rem]">
        <ExpandButton
          content={`the usage of ${apiKey.name}`}
          contentId={usageId}
          isOpen={isOpen}
          onToggle={() => setIsOpen(!isOpen)}
        />
        <KeyName apiKey={apiKey} />
        <div className="flex flex-wrap gap-x-4 text-label max-lg:order-last max-lg:col-span-3 lg:contents">
          <p>
            <span className="text-muted lg:block">Created </span>
            <span title={exactTime(apiKey.created_at)}>{dateText(apiKey.created_at)}</span>
          </p>
          <p>
            <span className="text-muted lg:block">Last used </span>
            {apiKey.last_used ? <RelativeTime at={apiKey.last_used} /> : "Never"}
          </p>
          <p>
            <span className="text-muted lg:block">Expires </span>
            {apiKey.expires_at ? (
              <span title={exactTime(apiKey.expires_at)}>{dateText(apiKey.expires_at)}</span>
            ) : (
              "Never"
            )}
          </p>
        </div>
        <span className="text-right">
          {apiKey.is_active && onRevoke && (
            <Button size="sm" variant="danger" onClick={onRevoke} aria-label={`Revoke ${apiKey.name}`}>
              Revoke
            </Button>
          )}
        </span>
      </div>
      <div id={usageId}>{isOpen && <KeyUsage apiKey={apiKey} />}</div>
    </li>
  );
}

function KeyName({ apiKey }: { readonly apiKey: ApiKey }) {
  const expiry = expiryOf(apiKey, useMinute());
  return (
    <div className="min-w-0">
      <p className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1">
        <span className="max-w-full truncate font-medium" title={apiKey.name}>
          {apiKey.name}
        </span>
        {apiKey.scope === "read" && <Badge title="Reads through /mcp, for a coding agent">Read</Badge>}
        <Badge tone={apiKey.is_active ? "ok" : "neutral"}>{apiKey.is_active ? "Active" : "Inactive"}</Badge>
        {expiry && <Badge tone={expiry.tone}>{expiry.label}</Badge>}
      </p>
      <p className="truncate font-mono text-label text-muted">{apiKey.prefix}…</p>
      {apiKey.created_by && (
        <p className="truncate text-label text-muted">
          Created by {apiKey.created_by.name}
          {!apiKey.created_by.is_member && ", a former member"}
        </p>
      )}
    </div>
  );
}
