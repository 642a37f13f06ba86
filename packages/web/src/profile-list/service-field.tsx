import { limits, listServices } from "@flamekeep/contract";
import { useQuery } from "@tanstack/react-query";
import { type ComponentProps, useId } from "react";
import { callQuery } from "#api/call-query.ts";
import { Field } from "#ui/controls/field.tsx";

/** Every service that has data, whatever its age. @param organization another one than that of the session */
function allServicesIn(organization?: string) {
  const key: readonly string[] = ["services", "all", ...(organization === undefined ? [] : [organization])];
  const query = { since: `${limits.sinceDaysMax}d`, include_totals: "true" } as const;
  return callQuery(key, listServices, { query, organization });
}

export const allServicesQuery = allServicesIn();

type ServiceFieldProps = Omit<ComponentProps<typeof Field>, "label"> & {
  readonly label?: string;
  /** The id of another organization that has the service. */
  readonly organization?: string | undefined;
};

/** The name of a service, completed from those that have data. */
export function ServiceField({ label = "Service", organization, ...props }: ServiceFieldProps) {
  const id = useId();
  const services = useQuery(allServicesIn(organization)).data?.services ?? [];
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
