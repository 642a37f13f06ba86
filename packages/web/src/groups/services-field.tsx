import { limits } from "@flamekeep/contract";
import { Server } from "lucide-react";
import { importOnce } from "#api/import-page.ts";
import { ChipField } from "#ui/controls/chip-field.tsx";

const load = importOnce(() => import("./service-combobox.tsx"));
const label = "Services";

interface ServicesFieldProps {
  readonly services: readonly string[];
  readonly onChange: (services: readonly string[]) => void;
}

/** The services of a group, as chips. */
export function ServicesField(props: ServicesFieldProps) {
  const { services } = props;
  return (
    <div className="flex flex-col gap-1.5">
      <span aria-hidden className="font-medium text-body">
        {label}
      </span>
      <div className="flex max-h-40 overflow-y-auto">
        <ChipField
          {...{ load, label }}
          icon={Server}
          placeholder="checkout"
          chosen={services}
          isActive={false}
          className="min-w-0"
        >
          {({ ServiceCombobox }, start) => <ServiceCombobox {...props} label={label} start={start} />}
        </ChipField>
      </div>
      <p className="text-label text-muted">
        {services.length < limits.projectServicesMax
          ? "Makes the project a group of these services. Without any, it shows the service of its name."
          : `${limits.projectServicesMax} services. Remove one to add another.`}
      </p>
    </div>
  );
}
