import type { SenderKey } from "@flamekeep/contract";
import { Link } from "@tanstack/react-router";
import { countMeasure, plural } from "#format/number.ts";
import { dateText } from "#format/time.ts";
import { Card, CardHeader } from "#ui/content/card.tsx";
import { Quantity, RelativeTime } from "#ui/content/values.tsx";
import { buttonClass } from "#ui/controls/button.tsx";

interface RejectedRequestsProps {
  readonly keys: readonly SenderKey[];
  /** The first day that is counted. */
  readonly since: string;
}

/** Rejected requests by key, because their services are not known. Nothing if there are none. */
export function RejectedRequests({ keys, since }: RejectedRequestsProps) {
  const rejected = keys.filter((key) => key.rejected > 0).sort((a, b) => b.rejected - a.rejected);
  if (rejected.length === 0) return null;
  return (
    <Card className="mt-6">
      <CardHeader
        title="Rejected requests"
        detail={`By key, since ${dateText(since)}. Counted by key, because a rejected request may not name its service.`}
        actions={
          <Link to="/settings" search={{ tab: "api-keys" }} className={buttonClass("secondary", "sm")}>
            API keys
          </Link>
        }
      />
      <ul className="divide-y divide-line border-line border-t">
        {rejected.map((key) => (
          <li key={key.id} className="px-4 py-3">
            <p className="flex min-w-0 flex-wrap items-baseline gap-x-2">
              <span className="max-w-full truncate font-medium" title={key.name}>
                {key.name}
              </span>
              <span className="font-mono text-label text-muted">{key.prefix}…</span>
              <span className="ml-auto text-label">{plural(key.rejected, "rejected request")}</span>
            </p>
            <Rejections rejections={key.rejections} />
          </li>
        ))}
      </ul>
    </Card>
  );
}

export function Rejections({ rejections }: Pick<SenderKey, "rejections">) {
  return (
    <ul className="mt-1 flex flex-col gap-1">
      {rejections.map(({ code, count, last_at, last_message }) => (
        <li key={code} className="text-label">
          <span className="font-medium tabular-nums">
            <Quantity value={countMeasure(count)} /> × <code className="font-mono">{code}</code>
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
