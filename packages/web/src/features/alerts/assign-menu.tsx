import type { Incident } from "@flamekeep/contract";
import { useQuery } from "@tanstack/react-query";
import { UserPlus, UserRound, UserX } from "lucide-react";
import { membersQuery } from "#session/members-query.ts";
import { useSession } from "#session/session.ts";
import { Button } from "#ui/controls/button.tsx";
import { Menu, MenuItem, MenuSeparator } from "#ui/controls/menu.tsx";
import { useAssignIncident } from "./use-incident-actions.ts";

interface IncidentProps {
  readonly incident: Incident;
}

/** Shows who takes care of an incident, and assigns it to somebody else. */
export function AssignMenu({ incident }: IncidentProps) {
  const { assignee, service } = incident;
  const Icon = assignee === undefined ? UserPlus : UserRound;
  const label =
    assignee === undefined
      ? `Assign the incident of ${service}`
      : `Assigned to ${assignee.name}: change it for the incident of ${service}`;
  return (
    <Menu
      trigger={
        <Button size="sm" className="min-w-0 max-w-48" aria-label={label} title={label}>
          <Icon aria-hidden className="size-3.5 shrink-0" strokeWidth={1.75} />
          <span className="truncate">{assignee?.name ?? "Assign"}</span>
        </Button>
      }
    >
      <AssigneeItems incident={incident} />
    </Menu>
  );
}

/** In the opened menu, so that the members are read when somebody opens it. */
function AssigneeItems({ incident }: IncidentProps) {
  const assign = useAssignIncident(incident);
  const session = useSession();
  const ownId = session.status === "authenticated" ? session.user.id : undefined;
  const { data, error } = useQuery(membersQuery);
  const assignedId = incident.assignee?.user_id;
  const others = data?.members.filter(({ id }) => id !== assignedId && id !== ownId) ?? [];
  return (
    <>
      {ownId !== undefined && ownId !== assignedId && (
        <MenuItem onSelect={() => assign(ownId)}>
          <UserPlus aria-hidden strokeWidth={1.75} />
          Assign to me
        </MenuItem>
      )}
      {assignedId !== undefined && (
        <MenuItem onSelect={() => assign(null)}>
          <UserX aria-hidden strokeWidth={1.75} />
          Assign to nobody
        </MenuItem>
      )}
      <MenuSeparator />
      <div className="max-h-72 max-w-72 overflow-y-auto">
        {data === undefined && (
          <p className="px-2.5 py-1.5 text-label text-muted">
            {error === null ? "Loading members" : "Failed to load members"}
          </p>
        )}
        {data !== undefined && others.length === 0 && (
          <p className="px-2.5 py-1.5 text-label text-muted">No other members</p>
        )}
        {others.map(({ id, name, email }) => (
          <MenuItem key={id} onSelect={() => assign(id)}>
            <UserRound aria-hidden className="shrink-0" strokeWidth={1.75} />
            <span className="min-w-0 truncate" title={email}>
              {name}
            </span>
          </MenuItem>
        ))}
      </div>
    </>
  );
}
