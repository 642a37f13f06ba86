import { isServiceName, normalServiceName } from "@flamekeep/contract";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { Columns2 } from "lucide-react";
import { type FormEvent, type ReactNode, useState } from "react";
import { ServiceField } from "#profile-list/service-field.tsx";
import { TimeRangeControl } from "#time-range/time-range-control.tsx";
import { Card } from "#ui/content/card.tsx";
import { Message } from "#ui/content/message.tsx";
import { Button } from "#ui/controls/button.tsx";
import { FiguresCard } from "./figures-card.tsx";
import { HottestFunctions } from "./hottest-functions.tsx";
import { servicesMax } from "./search.ts";
import { SharedFunctions } from "./shared-functions.tsx";

/** Two to four services side by side. They are in the address. */
export function CompareServicesPage(): ReactNode {
  const { service: services = [] } = useSearch({ from: "/protected/compare/services" });
  const navigate = useNavigate({ from: "/compare/services" });
  const change = (next: readonly string[]) =>
    void navigate({
      search: (before) => ({ ...before, service: next.length === 0 ? undefined : next }),
      resetScroll: false,
    });
  const field = <AddService services={services} onAdd={(name) => change([...services, name])} />;
  return (
    <>
      <div className="mb-4 flex flex-wrap items-end justify-between gap-x-6 gap-y-3">
        {services.length > 0 && field}
        <div className="ml-auto max-sm:ml-0">
          <TimeRangeControl />
        </div>
      </div>
      {services.length === 0 ? (
        <NoServices field={field} />
      ) : (
        <div className="flex flex-col gap-4">
          <FiguresCard
            services={services}
            onRemove={(name) => change(services.filter((each) => each !== name))}
          />
          <HottestFunctions services={services} />
          {services.length > 1 ? <SharedFunctions services={services} /> : <OneService />}
        </div>
      )}
    </>
  );
}

function NoServices({ field }: { readonly field: ReactNode }) {
  return (
    <Card>
      <Message icon={Columns2} title="Choose the services to compare" actions={field}>
        <p>
          Up to {servicesMax} services side by side: cores, memory, CPU per request, latency and errors, their
          hottest functions, and the library functions that they share.
        </p>
      </Message>
    </Card>
  );
}

function OneService() {
  return (
    <Card>
      <Message icon={Columns2} title="Add a second service">
        <p>Its figures appear next to these, with the library functions that both call.</p>
      </Message>
    </Card>
  );
}

interface AddServiceProps {
  readonly services: readonly string[];
  readonly onAdd: (service: string) => void;
}

function AddService({ services, onAdd }: AddServiceProps) {
  const [text, setText] = useState("");
  const [problem, setProblem] = useState<string>();
  if (services.length >= servicesMax)
    return <p className="text-label text-muted">{servicesMax} services. Remove one to add another.</p>;

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
