import { X } from "lucide-react";
import { profileTypeLabel } from "#format/names.ts";
import { Button } from "#ui/controls/button.tsx";
import { Select } from "#ui/controls/select.tsx";
import type { AlertFilter, FilterValues, TypeFilter } from "./model.ts";

interface AlertFiltersProps {
  readonly values: FilterValues;
  readonly filter: AlertFilter;
  readonly onChange: (part: AlertFilter) => void;
}

// Service names are never empty, but one could be "all".
const allServices = "";

export function AlertFilters({ values, filter, onChange }: AlertFiltersProps) {
  const services = [
    { value: allServices, label: "All services" },
    ...values.services.map((value) => ({ value, label: value })),
  ];
  const types: { value: TypeFilter | "all"; label: string }[] = [
    { value: "all", label: "All types" },
    ...values.types.map((value) => ({ value, label: profileTypeLabel(value) })),
  ];
  return (
    <div className="flex flex-wrap items-center gap-2 px-4 pb-3">
      <Select
        label="Service"
        value={filter.service ?? allServices}
        options={services}
        onChange={(service) => onChange({ service: service === allServices ? undefined : service })}
        className="w-44 max-sm:w-auto max-sm:flex-1"
      />
      <Select
        label="Type"
        value={filter.type ?? "all"}
        options={types}
        onChange={(type) => onChange({ type: type === "all" ? undefined : type })}
        className="w-36 max-sm:w-auto max-sm:flex-1"
      />
      <ActiveFilters filter={filter} onChange={onChange} />
    </div>
  );
}

function ActiveFilters({ filter, onChange }: Omit<AlertFiltersProps, "values">) {
  const { service, type } = filter;
  if (service === undefined && type === undefined) return null;
  return (
    <div className="flex min-w-0 flex-wrap items-center gap-2 max-sm:w-full">
      {service !== undefined && (
        <FilterChip name="Service" value={service} onRemove={() => onChange({ service: undefined })} />
      )}
      {type !== undefined && (
        <FilterChip
          name="Type"
          value={profileTypeLabel(type)}
          onRemove={() => onChange({ type: undefined })}
        />
      )}
      <Button variant="ghost" size="sm" onClick={() => onChange({ service: undefined, type: undefined })}>
        Clear Filters
      </Button>
    </div>
  );
}

interface FilterChipProps {
  readonly name: string;
  readonly value: string;
  readonly onRemove: () => void;
}

function FilterChip({ name, value, onRemove }: FilterChipProps) {
  return (
    <span className="inline-flex h-7 min-w-0 items-center gap-1 rounded-control bg-surface-2 pr-0.5 pl-2.5 text-label">
      <span className="text-muted">{name}:</span>
      <span className="max-w-48 truncate font-medium" title={value}>
        {value}
      </span>
      <button
        type="button"
        aria-label={`Remove filter ${name}: ${value}`}
        onClick={onRemove}
        className="grid size-6 shrink-0 place-items-center rounded-badge text-muted hover:bg-line hover:text-text"
      >
        <X aria-hidden className="size-3.5" strokeWidth={1.75} />
      </button>
    </span>
  );
}
