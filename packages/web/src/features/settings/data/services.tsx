import { deleteService, limits, listServices, type ReplyOf, type ServiceTotals } from "@flamekeep/contract";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Server } from "lucide-react";
import { useState } from "react";
import { call } from "#api/call.ts";
import { callQuery } from "#api/call-query.ts";
import { exactCount, plural } from "#format/number.ts";
import { profileCount } from "#profile-list/service-order.ts";
import { useIsAdmin } from "#session/session.ts";
import { AdminNote, DeleteByNameDialog, LoadingRows, NothingListed } from "#settings/parts/parts.tsx";
import { PanelCard } from "#ui/content/panel.tsx";
import { RelativeTime } from "#ui/content/values.tsx";
import { Button } from "#ui/controls/button.tsx";
import { SearchInput } from "#ui/controls/input.tsx";
import { useDebounced } from "#ui/hooks/search-text.ts";
import type { Closable } from "#ui/overlays/dialog.tsx";
import { useFinish } from "#ui/overlays/form-dialog.tsx";
import { SourceLinkDialog } from "./source-link-dialog.tsx";

/** Services with data, which an admin can delete. */
export function Services() {
  const [search, setSearch] = useState("");
  const query = useQuery(storedServicesQuery(useDebounced(search.trim(), typingMs)));
  const isAdmin = useIsAdmin();
  const [deleted, setDeleted] = useState<ServiceTotals>();
  const [linked, setLinked] = useState<string>();
  return (
    <>
      <PanelCard
        title="Services"
        detail="Deleting a service removes all of its data. Later uploads are stored again."
        actions={!isAdmin && <AdminNote />}
        query={query}
        loading={<LoadingRows nouns="services" count={3} className="h-6 w-72" gapClass="gap-4" />}
        errorTitle="Failed to load services. Please try again later."
        empty={({ totals }) =>
          totals.services === 0 ? (
            <NothingListed icon={Server} title="No Services Found">
              A service appears here with its first upload.
            </NothingListed>
          ) : null
        }
      >
        {(reply) => (
          <ServiceList
            reply={reply}
            {...{ search, setSearch }}
            {...(isAdmin && { onDelete: setDeleted, onLink: setLinked })}
          />
        )}
      </PanelCard>
      {linked && <SourceLinkDialog service={linked} onClose={() => setLinked(undefined)} />}
      {deleted && <DeleteServiceDialog service={deleted} onClose={() => setDeleted(undefined)} />}
    </>
  );
}

const listedCount = 20;
const typingMs = 200;

/** Services with data of any age. */
function storedServicesQuery(q: string) {
  const query = {
    since: `${limits.sinceDaysMax}d`,
    q: q.slice(0, limits.searchLengthMax),
    order: "name",
    limit: listedCount,
    include_totals: "true",
  } as const;
  return callQuery(
    ["services", "stored", query.q],
    listServices,
    { query },
    { placeholderData: keepPreviousData },
  );
}

interface ServiceListProps {
  readonly reply: ReplyOf<typeof listServices>;
  readonly search: string;
  readonly setSearch: (text: string) => void;
  readonly onDelete?: (service: ServiceTotals) => void;
  readonly onLink?: (service: string) => void;
}

function ServiceList({ reply, search, setSearch, ...actions }: ServiceListProps) {
  const { services, total, totals } = reply;
  const hidden = total - services.length;
  return (
    <>
      {totals.services > listedCount && (
        <div className="px-4 pb-3">
          <SearchInput
            label="Search services"
            placeholder="Search services"
            value={search}
            onChange={setSearch}
          />
        </div>
      )}
      <ul className="divide-y divide-line border-line border-t">
        {services.map((service) => (
          <ServiceRow key={service.name} service={service} {...actions} />
        ))}
      </ul>
      {(hidden > 0 || total === 0) && (
        <p className="border-line border-t px-4 py-2.5 text-label text-muted">
          {hidden > 0
            ? `${exactCount(hidden)} more. Search by name to find them.`
            : "No service has this name."}
        </p>
      )}
    </>
  );
}

interface ServiceRowProps {
  readonly service: ServiceTotals;
  readonly onDelete?: (service: ServiceTotals) => void;
  readonly onLink?: (service: string) => void;
}

function ServiceRow({ service, onDelete, onLink }: ServiceRowProps) {
  const { name, last_activity: lastActivity } = service;
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-1 px-4 py-2.5">
      <Link
        to="/profiles/service/$serviceName"
        params={{ serviceName: name }}
        title={name}
        className="min-w-0 flex-1 basis-40 truncate font-medium hover:text-accent-text hover:underline"
      >
        {name}
      </Link>
      <p className="text-label text-muted">
        {plural(profileCount(service), "profile")} stored, last activity <RelativeTime at={lastActivity} />
      </p>
      {(onLink || onDelete) && (
        <div className="flex gap-2">
          {onLink && (
            <Button
              size="sm"
              variant="secondary"
              aria-label={`Source of ${name}`}
              onClick={() => onLink(name)}
            >
              Source
            </Button>
          )}
          {onDelete && (
            <Button
              size="sm"
              variant="danger"
              aria-label={`Delete ${name}`}
              onClick={() => onDelete(service)}
            >
              Delete
            </Button>
          )}
        </div>
      )}
    </li>
  );
}

export function DeleteServiceDialog({ service, onClose }: Closable & { readonly service: ServiceTotals }) {
  const finish = useFinish(onClose);
  const { name } = service;
  return (
    <DeleteByNameDialog
      name={name}
      what="service"
      description={`${plural(profileCount(service), "profile")}, its HTTP metrics and everything derived from them are removed and cannot be restored. Senders are not stopped: revoke their key first.`}
      remove={(confirm) => call(deleteService, { params: { service: name }, body: { confirm } })}
      // Its profiles, alerts and totals are on every page.
      onDeleted={() => finish(`${name} is deleted`, { queryKey: [] })}
      onClose={onClose}
    />
  );
}
