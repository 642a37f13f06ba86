import { limits, listServices } from "@flamekeep/contract";
import { useQuery } from "@tanstack/react-query";
import { type ComponentProps, useId } from "react";
import { callQuery } from "#api/call-query.ts";
import { Field } from "#ui/controls/field.tsx";

/** Every service that has data, whatever its age. */
export const allServicesQuery = callQuery(["services", "all"], listServices, {
  query: { since: `${limits.sinceDaysMax}d`, include_totals: "true" },
});

type ServiceFieldProps = Omit<ComponentProps<typeof Field>, "label"> & { readonly label?: string };

/** The name of a service, completed from those that have data. */
export function ServiceField({ label = "Service", ...props }: ServiceFieldProps) {
  const id = useId();
  const services = useQuery(allServicesQuery).data?.services ?? [];
  return (
    <div className="flex flex-col">
      <Field
        label={label}
        list={id}
        placeholder="checkout"
        autoComplete="off"
        maxLength={limits.serviceNameLengthMax}
        {...props}
      />
      <datalist id={id}>
        {services.map(({ name }) => (
          <option key={name} value={name} />
        ))}
      </datalist>
    </div>
  );
}
