import { type ApiKey, limits, type KeyUsage as Usage } from "@flamekeep/contract";
import { useQuery } from "@tanstack/react-query";
import { bytesMeasure } from "#format/measure.ts";
import { countMeasure } from "#format/number.ts";
import { Panel } from "#ui/content/panel.tsx";
import { Skeleton } from "#ui/content/skeleton.tsx";
import { Quantity, RelativeTime } from "#ui/content/values.tsx";
import { keyUsageQuery } from "./queries.ts";

/** The uploads of a key in the last days, and the reasons of refusals. */
export function KeyUsage({ apiKey }: { readonly apiKey: ApiKey }) {
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
    { label: "Requests refused", value: countMeasure(usage.refused) },
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
    <ul aria-label="Refused requests" className="mt-3 flex flex-col gap-1.5">
      {refusals.map(({ code, count, last_at, last_message }) => (
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
