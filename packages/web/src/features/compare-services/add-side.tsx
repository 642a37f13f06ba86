import { isServiceName, normalServiceName } from "@flamekeep/contract";
import { useQuery } from "@tanstack/react-query";
import { ChevronDown } from "lucide-react";
import { type FormEvent, useState } from "react";
import { plural } from "#format/number.ts";
import { createdProjectsIn } from "#groups/queries.ts";
import { ServiceField } from "#profile-list/service-field.tsx";
import { Button } from "#ui/controls/button.tsx";
import { Menu, MenuItem, MenuSeparator } from "#ui/controls/menu.tsx";
import { LabelledSelect } from "#ui/controls/select.tsx";
import type { Side, SidePlace } from "./model.ts";
import { type OtherSide, otherAddress, sidesMax } from "./search.ts";
import { useOrganizations } from "./use-sides.ts";

interface AddSideProps {
  readonly sides: readonly Side[];
  readonly onAdd: (place: SidePlace) => void;
}

/** The field of another service, and the menu of groups of services; of another organization for people with several. */
export function AddSide({ sides, onAdd }: AddSideProps) {
  const organizations = useOrganizations();
  const current = organizations.find((each) => each.is_current)?.id;
  const [chosen = current, choose] = useState<string>();
  if (sides.length >= sidesMax)
    return <p className="text-label text-muted">{sidesMax} are compared. Remove one to add another.</p>;
  const scope: Scope = {
    current: chosen,
    organization: chosen === current ? undefined : chosen,
    isTaken: (place) =>
      sides.some((side) => side.place.param === place.param && side.place.value === place.value),
    onAdd,
  };
  return (
    <div className="flex flex-wrap items-end gap-2 text-left">
      {organizations.length > 1 && chosen !== undefined && (
        <LabelledSelect
          label="Organization"
          value={chosen}
          options={organizations.map(({ id, name }) => ({ value: id, label: name }))}
          onChange={choose}
        />
      )}
      <div className="flex flex-wrap items-start gap-2">
        <AddService {...scope} />
        <AddGroup {...scope} />
      </div>
    </div>
  );
}

/** The organization whose services are added. */
interface Scope {
  /** Its id; undefined for visitors of the demo. */
  readonly current: string | undefined;
  /** Its id if it is another one than that of the session. */
  readonly organization: string | undefined;
  readonly isTaken: (place: SidePlace) => boolean;
  readonly onAdd: (place: SidePlace) => void;
}

function placeOf(organization: string | undefined, kind: "service" | "project", id: string): SidePlace {
  return organization === undefined ? { param: kind, value: id } : otherPlace({ organization, kind, id });
}

function otherPlace(side: OtherSide): SidePlace {
  return { param: "other", value: otherAddress(side) };
}

/** Projects that are groups, and all services. Nothing if all of them are compared. */
function AddGroup({ current, organization, isTaken, onAdd }: Scope) {
  const { data: created = [] } = useQuery(createdProjectsIn(organization));
  const groups = created
    .filter(({ services }) => services.length > 0)
    .map((project) => ({ ...project, place: placeOf(organization, "project", project.id) }))
    .filter(({ place }) => !isTaken(place));
  const all =
    current === undefined
      ? undefined
      : otherPlace({ organization: current, kind: "organization", id: current });
  const canAddAll = all !== undefined && !isTaken(all);
  if (groups.length === 0 && !canAddAll) return null;
  return (
    <Menu
      align="start"
      trigger={
        <Button className="mt-6.5">
          Add a group
          <ChevronDown aria-hidden className="size-4 text-muted" strokeWidth={1.75} />
        </Button>
      }
    >
      {groups.map(({ id, name, services, place }) => (
        <MenuItem key={id} onSelect={() => onAdd(place)}>
          <span className="max-w-64 truncate">{name}</span>
          <span className="ml-auto text-label text-muted">{plural(services.length, "service")}</span>
        </MenuItem>
      ))}
      {groups.length > 0 && canAddAll && <MenuSeparator />}
      {canAddAll && <MenuItem onSelect={() => onAdd(all)}>All services</MenuItem>}
    </Menu>
  );
}

function AddService({ organization, isTaken, onAdd }: Scope) {
  const [text, setText] = useState("");
  const [problem, setProblem] = useState<string>();

  function add(event: FormEvent) {
    event.preventDefault();
    const name = normalServiceName(text);
    const place = placeOf(organization, "service", name);
    const found = isTaken(place) ? `${name} is in the table already` : problemOf(name);
    setProblem(found);
    if (found !== undefined) return;
    setText("");
    onAdd(place);
  }

  return (
    <form onSubmit={add} className="flex items-start gap-2" noValidate>
      <ServiceField
        label="Add a service"
        name="service"
        value={text}
        organization={organization}
        hint={problem}
        isInvalid={problem !== undefined}
        onChange={(event) => {
          setText(event.target.value);
          setProblem(undefined);
        }}
        className="w-56! max-sm:w-48!"
      />
      {/* Next to the input, below its label. */}
      <Button type="submit" className="mt-6.5">
        Add
      </Button>
    </form>
  );
}

function problemOf(name: string): string | undefined {
  return isServiceName(name) ? undefined : "Enter the name of a service, such as checkout";
}
