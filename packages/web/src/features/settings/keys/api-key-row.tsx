import { type ApiKey, failureStatus, limits, type KeyUsage as Usage } from "@flamekeep/contract";
import { dayMs } from "@flamekeep/contract/durations";
import { useQuery } from "@tanstack/react-query";
import { useId, useState } from "react";
import { bytesMeasure } from "#format/measure.ts";
import { countMeasure, plural } from "#format/number.ts";
import { dateText, exactTime } from "#format/time.ts";
import { keyUsageQuery } from "#settings/parts/queries.ts";
import { Badge } from "#ui/content/badge.tsx";
import { Panel } from "#ui/content/panel.tsx";
import { Skeleton } from "#ui/content/skeleton.tsx";
import { Quantity, RelativeTime } from "#ui/content/values.tsx";
import { Button } from "#ui/controls/button.tsx";
import { ExpandButton } from "#ui/controls/expand-button.tsx";
import { useMinute } from "#ui/hooks/use-now.ts";

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
        {apiKey.scope === "read" && (
          <Badge title="Reads through /mcp and as readers of Pyroscope do">Read</Badge>
        )}
        {apiKey.scope === "read_write" && (
          <Badge title="Reads through /mcp, starts analyses, marks advice and comments on incidents, for a coding agent">
            Read and write
          </Badge>
        )}
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

/** The uploads of a key in the last days, and the reasons of refusals. */
function KeyUsage({ apiKey }: { readonly apiKey: ApiKey }) {
  const query = useQuery(keyUsageQuery(apiKey.id));
  return (
    <section aria-label={`Usage of ${apiKey.name}`} className="mt-3 pl-9">
      <Panel query={query} loading={<Skeleton className="h-10 w-72" />} errorTitle="Failed to load the usage">
        {({ usage }) => (
          <>
            <Totals usage={usage} />
            <Refusals refusals={usage.refusals} />
          </>
        )}
      </Panel>
    </section>
  );
}

function Totals({ usage }: { readonly usage: Usage }) {
  const values = [
    { label: "Profiles stored", value: countMeasure(usage.profiles) },
    { label: "Sent", value: bytesMeasure(usage.bytes) },
    { label: "Requests rejected", value: countMeasure(usage.refused) },
  ];
  return (
    <dl className="flex flex-wrap gap-x-8 gap-y-2">
      {values.map(({ label, value }) => (
        <div key={label}>
          <dt className="text-label text-muted">{label}</dt>
          <dd className="font-medium tabular-nums">
            <Quantity value={value} />
          </dd>
        </div>
      ))}
      <div>
        <dt className="text-label text-muted">Period</dt>
        <dd>Last {limits.apiKeyUsageDays} days</dd>
      </div>
    </dl>
  );
}

function Refusals({ refusals }: Pick<Usage, "refusals">) {
  if (refusals.length === 0) return null;
  return (
    <ul aria-label="Rejected requests" className="mt-3 flex flex-col gap-1.5">
      {refusals.map(({ code, count, last_at, last_message }) => (
        <li key={code} className="text-label">
          <span className="font-medium tabular-nums">
            <Quantity value={countMeasure(count)} /> rejected{" "}
            <span title={code}>({failureStatus[code]})</span>
          </span>{" "}
          <span className="[overflow-wrap:anywhere]">
            {count > 1 && "last: "}
            {last_message}
          </span>{" "}
          <span className="text-muted">
            (<RelativeTime at={last_at} />)
          </span>
        </li>
      ))}
    </ul>
  );
}

/** Enough time to replace a key in every program that uses it. */
const soonDays = 14;

/** The label of a key that has expired or will expire soon. */
export function expiryOf(
  { expires_at, is_active }: Pick<ApiKey, "expires_at" | "is_active">,
  nowMs: number,
): { readonly label: string; readonly tone: "warning" | "critical" } | undefined {
  if (expires_at === null) return undefined;
  const leftMs = Date.parse(expires_at) - nowMs;
  if (leftMs <= 0) return { label: "Expired", tone: "critical" };
  if (!is_active || leftMs > soonDays * dayMs) return undefined;
  // Rounded, so that a key that was created for 7 days does not show 6 a moment later.
  const days = Math.round(leftMs / dayMs);
  return {
    label: leftMs < dayMs ? "Expires in less than a day" : `Expires in ${plural(days, "day")}`,
    tone: "warning",
  };
}
