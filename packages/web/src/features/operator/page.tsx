import { type operatorOverview, type ReplyOf, type ServerStatus, serverStatus } from "@flamekeep/contract";
import { useQuery } from "@tanstack/react-query";
import { CircleAlert, CircleCheck, ServerCog } from "lucide-react";
import { callQuery } from "#api/call-query.ts";
import { capitalized } from "#format/names.ts";
import { exactCount, plural } from "#format/number.ts";
import { sizeText } from "#limits/model.ts";
import { useSession } from "#session/session.ts";
import { Card, CardHeader } from "#ui/content/card.tsx";
import { Message } from "#ui/content/message.tsx";
import { PanelCard } from "#ui/content/panel.tsx";
import { Skeleton } from "#ui/content/skeleton.tsx";
import { RelativeTime } from "#ui/content/values.tsx";
import { Accounts } from "./accounts.tsx";
import { Organizations } from "./organizations.tsx";
import { overviewQuery } from "./overview-query.ts";
import { StoragePrice } from "./storage-price.tsx";

type Overview = ReplyOf<typeof operatorOverview>;

export function OperatorPage() {
  const session = useSession();
  if (session.status === "authenticated" && session.user.is_operator) return <Overviews />;
  return (
    <Message icon={ServerCog} title="Only the operator of this server sees this page">
      <p>
        The first account of a server is its operator, until it transfers the role. Only the operator sees
        organizations and limits.
      </p>
    </Message>
  );
}

/** Health, organizations with their usage, and limits. */
function Overviews() {
  const overview = useQuery(overviewQuery);
  const status = useQuery(callQuery(["operator-status"], serverStatus));
  const loading = <Skeleton className="mx-4 mb-4 h-24" />;
  return (
    <div className="mx-auto flex max-w-5xl flex-col gap-4">
      <PanelCard
        title="Health"
        query={status}
        loading={loading}
        errorTitle="Failed to load the health of the server"
      >
        {(found) => <ServerHealth status={found} />}
      </PanelCard>
      <PanelCard
        title="Organizations"
        detail={
          overview.data &&
          `${plural(overview.data.organizations.length, "organization")}, ${plural(overview.data.users, "account")}`
        }
        query={overview}
        loading={loading}
        errorTitle="Failed to load the organizations"
      >
        {(found) => <Organizations overview={found} />}
      </PanelCard>
      <PanelCard
        title="Storage price"
        detail="Shows the cost of each organization's stored bytes for a month."
        query={overview}
        loading={loading}
        errorTitle="Failed to load the price"
      >
        {({ storage_price: price }) => <StoragePrice price={price} />}
      </PanelCard>
      <Accounts />
      {overview.data && overview.data.deleted_organizations.length > 0 && (
        <Card>
          <CardHeader title="Deleted organizations" detail="Deleted by their admins." />
          <DeletedOrganizations {...overview.data} />
        </Card>
      )}
      <PanelCard
        title="Limits of the server"
        detail="For organizations without other limits. Set by environment variables: restart the server to apply a change."
        query={overview}
        loading={loading}
        errorTitle="Failed to load the limits"
      >
        {({ limits }) => <Limits limits={limits} />}
      </PanelCard>
    </div>
  );
}

function DeletedOrganizations({ deleted_organizations }: Pick<Overview, "deleted_organizations">) {
  return (
    <ul className="divide-y divide-line border-line border-t">
      {deleted_organizations.map(({ id, name, deleted_at, data_removed_at }) => (
        <li key={id} className="flex flex-wrap items-center justify-between gap-x-4 px-4 py-2">
          <span className="min-w-0 truncate" title={name}>
            {name}
          </span>
          <span className="text-label text-muted">
            Deleted <RelativeTime at={deleted_at} />,{" "}
            {data_removed_at ? "its data is removed" : "its data is being removed"}
          </span>
        </li>
      ))}
    </ul>
  );
}

function Limits({ limits }: { readonly limits: Overview["limits"] }) {
  const rows = [
    ["SIGNUP", limits.signup],
    ["RETENTION_DAYS", exactCount(limits.retention_days)],
    ["ORG_STORED_BYTES_MAX", sizeText(limits.stored_bytes_max)],
    ["ORG_API_KEYS_MAX", exactCount(limits.api_keys_max)],
    ["ORG_PROJECTS_MAX", exactCount(limits.projects_max)],
    ["ORG_SERVICES_MAX", exactCount(limits.services_max)],
    ["ORG_UPLOADS_PER_MINUTE", exactCount(limits.organization_uploads_per_minute)],
    ["INGEST_PER_MINUTE", exactCount(limits.uploads_per_minute)],
    ["ORG_ANALYSES_PER_DAY", exactCount(limits.analyses_per_day)],
  ] as const;
  return (
    <dl className="divide-y divide-line border-line border-t">
      {rows.map(([name, value]) => (
        <div key={name} className="flex flex-wrap justify-between gap-x-4 px-4 py-2">
          <dt className="break-all font-mono text-code text-muted">{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** Each part of the server, and what the operator has to do. */
export function ServerHealth({ status }: { readonly status: ServerStatus }) {
  const { message, checks, warnings, notices } = status;
  return (
    <div className="border-line border-t px-4 py-3">
      <p className="font-medium [overflow-wrap:anywhere]">{message}</p>
      <ul className="mt-2 flex flex-col gap-1.5">
        {checks.map(({ name, ok, message: text = "" }) => {
          const Icon = ok ? CircleCheck : CircleAlert;
          return (
            <li key={name} className="flex items-start gap-2">
              <Icon
                aria-label={ok ? "Works" : "Fails"}
                className={`mt-0.5 size-4 shrink-0 ${ok ? "text-ok-text" : "text-critical-text"}`}
                strokeWidth={1.75}
              />
              <span className="min-w-0 [overflow-wrap:anywhere]">
                {capitalized(name)} {text}
              </span>
            </li>
          );
        })}
      </ul>
      {warnings.map(({ name, message: text, action }) => (
        <div
          key={`${name} ${text}`}
          className="mt-3 rounded-control bg-warning/12 px-3 py-2 text-warning-text"
        >
          <p className="font-medium">{name}</p>
          <p className="[overflow-wrap:anywhere]">{text}</p>
          {action && <p className="mt-1 [overflow-wrap:anywhere]">{action}</p>}
        </div>
      ))}
      {notices.map(({ name, message: text, action }) => (
        <div key={name} className="mt-3 rounded-control border border-line px-3 py-2">
          <p className="font-medium">{capitalized(name)}</p>
          <p className="[overflow-wrap:anywhere]">{text}</p>
          {action && <p className="mt-1 text-muted [overflow-wrap:anywhere]">{action}</p>}
        </div>
      ))}
    </div>
  );
}
