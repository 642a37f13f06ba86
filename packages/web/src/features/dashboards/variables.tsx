import { type DashboardVariable, limits } from "@flamekeep/contract";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useId, useState } from "react";
import { servicesQuery } from "#profile-list/queries.ts";
import { serviceTagsQuery } from "#sample-labels/queries.ts";
import { useTimeRange } from "#time-range/use-time-range.ts";
import { ListedInput } from "#ui/controls/listed-input.tsx";
import { useDebounced } from "#ui/hooks/search-text.ts";
import type { Values } from "./model.ts";

const offeredMax = 50;
const typingMs = 200;

/** Service, version and region of the panels, in the address. Their options are asked for once a field is used: panels come first. */
export function VariableFields({ values }: { readonly values: Values }) {
  const { query: range } = useTimeRange();
  const navigate = useNavigate({ from: "/dashboards/$dashboardId" });
  const [isUsed, setUsed] = useState(false);
  const [typed, setTyped] = useState("");
  const q = useDebounced(typed.trim().slice(0, limits.searchLengthMax), typingMs);
  const { data: listed } = useQuery({
    ...servicesQuery(range, { order: "name", limit: offeredMax, q }),
    enabled: isUsed,
  });
  const { data: tagged } = useQuery({
    ...serviceTagsQuery({ service: values.service, range, tab: "all", q: "" }),
    enabled: isUsed && values.service !== "",
  });
  const change = (name: DashboardVariable, value: string) =>
    void navigate({ search: (before) => ({ ...before, [name]: value }), resetScroll: false });
  const tagValues = (name: string) =>
    tagged?.tags.find((tag) => tag.name === name)?.values.map(({ value }) => value) ?? [];
  const field = (name: DashboardVariable, label: string, options: readonly string[], none: string) => (
    <VariableField
      key={name}
      {...{ label, options, none }}
      value={values[name]}
      onChange={(value) => change(name, value)}
      {...(name === "service" && { onType: setTyped })}
    />
  );
  const use = () => setUsed(true);
  return (
    <div className="contents" onFocusCapture={use} onPointerOver={use}>
      {field("service", "Service", listed?.services.map(({ name }) => name) ?? [], "Choose a service")}
      {field("version", "Version", tagValues("version"), "All")}
      {field("region", "Region", tagValues("region"), "All")}
    </div>
  );
}

interface VariableFieldProps {
  readonly label: string;
  readonly value: string;
  readonly options: readonly string[];
  /** The placeholder of an empty field. */
  readonly none: string;
  readonly onChange: (value: string) => void;
  /** For options that depend on the text. */
  readonly onType?: (text: string) => void;
}

function VariableField({ label, none, ...input }: VariableFieldProps) {
  const id = useId();
  return (
    <div className="flex items-center gap-2 max-sm:w-full">
      <label htmlFor={id} className="shrink-0 text-label text-muted max-sm:w-14">
        {label}
      </label>
      <ListedInput
        id={id}
        placeholder={none}
        maxLength={limits.muteTagValueLengthMax}
        className="w-44! max-sm:flex-1"
        {...input}
      />
    </div>
  );
}
