import {
  limits as contractLimits,
  type OrganizationUsage,
  type operatorOverview,
  type ReplyOf,
} from "@flamekeep/contract";
import { useState } from "react";
import { costText } from "#format/cost-text.ts";
import { countText, exactCount } from "#format/number.ts";
import { dateText } from "#format/time.ts";
import { LimitList } from "#limits/limit-list.tsx";
import { Badge } from "#ui/content/badge.tsx";
import { RelativeTime } from "#ui/content/values.tsx";
import { Button } from "#ui/controls/button.tsx";
import { CopyButton } from "#ui/controls/copy-button.tsx";
import { LimitsDialog } from "./limits-dialog.tsx";

type Overview = ReplyOf<typeof operatorOverview>;

/** Every organization with its usage, the limits of it, and the cost of its storage. */
export function Organizations({ overview }: { readonly overview: Overview }) {
  const [limitedId, setLimitedId] = useState<string>();
  const limited = overview.organizations.find(({ id }) => id === limitedId);
  return (
    <>
      <ul className="divide-y divide-line border-line border-t">
        {overview.organizations.map((each) => (
          <OrganizationRow
            key={each.id}
            organization={each}
            price={overview.storage_price}
            onLimit={() => setLimitedId(each.id)}
          />
        ))}
      </ul>
      {limited && (
        <LimitsDialog
          organization={limited}
          defaults={overview.limits}
          onClose={() => setLimitedId(undefined)}
        />
      )}
    </>
  );
}

interface OrganizationRowProps {
  readonly organization: OrganizationUsage;
  readonly price: Overview["storage_price"];
  readonly onLimit: () => void;
}

function OrganizationRow({ organization, price, onLimit }: OrganizationRowProps) {
  const { id, name, is_demo: isDemo, last_profile_at, storage_cost: cost } = organization;
  const facts = [
    ...(price !== null && cost !== null
      ? [["Storage cost", `${costText(cost, price.currency)} a month`] as const]
      : []),
    ["Members", exactCount(organization.members)],
    ["Active keys", exactCount(organization.active_api_keys)],
    ["Profiles", countText(organization.profiles)],
    [`Rejected in ${contractLimits.apiKeyUsageDays} days`, exactCount(organization.refused_requests)],
    ["Last upload", last_profile_at ? <RelativeTime key="last upload" at={last_profile_at} /> : "None"],
    ["Created", dateText(organization.created_at)],
  ] as const;
  return (
    <li className="flex flex-col gap-3 px-4 py-3">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <p className="flex min-w-0 items-center gap-2">
          <span className="truncate font-medium" title={name}>
            {name}
          </span>
          {isDemo && <Badge>Demo</Badge>}
          <CopyButton text={id} label={`Copy the id of ${name}`} />
        </p>
        <Button size="sm" onClick={onLimit} aria-label={`Edit limits of ${name}`}>
          Edit limits
        </Button>
      </div>
      <dl className="flex flex-wrap gap-x-6 gap-y-1 text-label">
        {facts.map(([label, value]) => (
          <div key={label} className="flex gap-1.5">
            <dt className="text-muted">{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <LimitList limits={organization.limits} />
    </li>
  );
}
