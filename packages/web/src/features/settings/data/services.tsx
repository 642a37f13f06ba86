import { deleteService, type ServiceTotals } from "@flamekeep/contract";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Server } from "lucide-react";
import { useState } from "react";
import { call } from "#api/call.ts";
import { exactCount, plural } from "#format/number.ts";
import { allServicesQuery } from "#profile-list/service-field.tsx";
import { profileCount } from "#profile-list/service-order.ts";
import { useIsAdmin } from "#session/session.ts";
import { AdminNote, DeleteByNameDialog, LoadingRows, NothingListed } from "#settings/parts/parts.tsx";
import { PanelCard } from "#ui/content/panel.tsx";
import { RelativeTime } from "#ui/content/values.tsx";
import { Button } from "#ui/controls/button.tsx";
import { SearchInput } from "#ui/controls/input.tsx";
import type { Closable } from "#ui/overlays/dialog.tsx";
import { useFinish } from "#ui/overlays/form-dialog.tsx";
import { SourceLinkDialog } from "./source-link-dialog.tsx";

/** Services with data, which an admin can delete. */
export function Services() {
  const query = useQuery(allServicesQuery);
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
        empty={({ services }) =>
          services.length === 0 ? (
            <NothingListed icon={Server} title="No Services Found">
              A service appears here with its first upload.
            </NothingListed>
          ) : null
        }
      >
        {({ services }) => (
          <ServiceList services={services} {...(isAdmin && { onDelete: setDeleted, onLink: setLinked })} />
        )}
      </PanelCard>
      {linked && <SourceLinkDialog service={linked} onClose={() => setLinked(undefined)} />}
      {deleted && <DeleteServiceDialog service={deleted} onClose={() => setDeleted(undefined)} />}
    </>
  );
}

const listedCount = 20;

interface ServiceListProps {
  readonly services: readonly ServiceTotals[];
  readonly onDelete?: (service: ServiceTotals) => void;
  readonly onLink?: (service: string) => void;
}

function ServiceList({ services, ...actions }: ServiceListProps) {
  const [search, setSearch] = useState("");
  const term = search.trim().toLowerCase();
  const found = services
    .filter(({ name }) => name.toLowerCase().includes(term))
    .toSorted((a, b) => a.name.localeCompare(b.name));
  const hidden = found.length - listedCount;
  return (
    <>
      {services.length > listedCount && (
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
        {found.slice(0, listedCount).map((service) => (
          <ServiceRow key={service.name} service={service} {...actions} />
        ))}
      </ul>
      {(hidden > 0 || found.length === 0) && (
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
