import { useNavigate, useSearch } from "@tanstack/react-router";
import { Columns2 } from "lucide-react";
import type { ReactNode } from "react";
import { TimeRangeControl } from "#time-range/time-range-control.tsx";
import { Card } from "#ui/content/card.tsx";
import { Message } from "#ui/content/message.tsx";
import { AddSide } from "./add-side.tsx";
import { FiguresCard } from "./figures-card.tsx";
import { HottestFunctions } from "./hottest-functions.tsx";
import { isKnown, type Side, type SidePlace } from "./model.ts";
import { sidesMax } from "./search.ts";
import { SharedFunctions } from "./shared-functions.tsx";
import { useSides } from "./use-sides.ts";

/** Two to four services or groups of services side by side. They are in the address. */
export function CompareServicesPage(): ReactNode {
  const search = useSearch({ from: "/protected/compare/services" });
  const sides = useSides(search);
  const navigate = useNavigate({ from: "/compare/services" });
  const change = (param: SidePlace["param"], values: readonly string[]) =>
    void navigate({
      search: (before) => ({ ...before, [param]: values.length === 0 ? undefined : values }),
      resetScroll: false,
    });
  const add = ({ param, value }: SidePlace) => change(param, [...(search[param] ?? []), value]);
  const remove = ({ place: { param, value } }: Side) =>
    change(param, search[param]?.filter((each) => each !== value) ?? []);
  const field = <AddSide sides={sides} onAdd={add} />;
  const known = sides.filter(isKnown);
  return (
    <>
      <div className="mb-4 flex flex-wrap items-end justify-between gap-x-6 gap-y-3">
        {sides.length > 0 && field}
        <div className="ml-auto max-sm:ml-0">
          <TimeRangeControl />
        </div>
      </div>
      {sides.length === 0 ? (
        <NoSides field={field} />
      ) : (
        <div className="flex flex-col gap-4">
          <FiguresCard sides={sides} onRemove={remove} />
          <HottestFunctions sides={known} />
          {sides.length === 1 && <OneSide />}
          {known.length > 1 && <SharedFunctions sides={known} />}
        </div>
      )}
    </>
  );
}

function NoSides({ field }: { readonly field: ReactNode }) {
  return (
    <Card>
      <Message icon={Columns2} title="Choose the services to compare" actions={field}>
        <p>
          Up to {sidesMax} services, projects or organizations side by side: cores, memory, CPU per request,
          latency and errors, their hottest functions, and the library functions that they share.
        </p>
      </Message>
    </Card>
  );
}

function OneSide() {
  return (
    <Card>
      <Message icon={Columns2} title="Add a second service">
        <p>Its figures appear next to these, with the library functions that both call.</p>
      </Message>
    </Card>
  );
}
