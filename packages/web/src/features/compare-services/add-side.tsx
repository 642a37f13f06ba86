import { isServiceName, normalServiceName } from "@flamekeep/contract";
import { useQuery } from "@tanstack/react-query";
import { ChevronDown } from "lucide-react";
import { type FormEvent, useState } from "react";
import { plural } from "#format/number.ts";
import { projectsQuery } from "#groups/queries.ts";
import { ServiceField } from "#profile-list/service-field.tsx";
import { Button } from "#ui/controls/button.tsx";
import { Menu, MenuItem } from "#ui/controls/menu.tsx";
import { sidesMax } from "./search.ts";

interface AddSideProps {
  readonly services: readonly string[];
  readonly projects: readonly string[];
  readonly onService: (name: string) => void;
  readonly onProject: (id: string) => void;
}

/** The field of another service, and the menu of the projects that are groups. */
export function AddSide({ services, projects, onService, onProject }: AddSideProps) {
  if (services.length + projects.length >= sidesMax)
    return <p className="text-label text-muted">{sidesMax} are compared. Remove one to add another.</p>;
  return (
    <div className="flex flex-wrap items-start gap-2">
      <AddService services={services} onAdd={onService} />
      <AddProject projects={projects} onAdd={onProject} />
    </div>
  );
}

/** Nothing if no other project is a group. */
function AddProject({
  projects,
  onAdd,
}: Pick<AddSideProps, "projects"> & { readonly onAdd: (id: string) => void }) {
  const { data } = useQuery(projectsQuery);
  const others = data?.projects.filter(({ id, services }) => services.length > 0 && !projects.includes(id));
  if (others === undefined || others.length === 0) return null;
  return (
    <Menu
      align="start"
      trigger={
        <Button className="mt-6.5">
          Add a project
          <ChevronDown aria-hidden className="size-4 text-muted" strokeWidth={1.75} />
        </Button>
      }
    >
      {others.map(({ id, name, services }) => (
        <MenuItem key={id} onSelect={() => onAdd(id)}>
          <span className="max-w-64 truncate">{name}</span>
          <span className="ml-auto text-label text-muted">{plural(services.length, "service")}</span>
        </MenuItem>
      ))}
    </Menu>
  );
}

interface AddServiceProps {
  readonly services: readonly string[];
  readonly onAdd: (service: string) => void;
}

function AddService({ services, onAdd }: AddServiceProps) {
  const [text, setText] = useState("");
  const [problem, setProblem] = useState<string>();

  function add(event: FormEvent) {
    event.preventDefault();
    const name = normalServiceName(text);
    const found = problemOf(name, services);
    setProblem(found);
    if (found !== undefined) return;
    setText("");
    onAdd(name);
  }

  return (
    <form onSubmit={add} className="flex items-start gap-2 text-left" noValidate>
      <ServiceField
        label="Add a service"
        name="service"
        value={text}
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

function problemOf(name: string, services: readonly string[]): string | undefined {
  if (!isServiceName(name)) return "Enter the name of a service, such as checkout";
  return services.includes(name) ? `${name} is in the table already` : undefined;
}
