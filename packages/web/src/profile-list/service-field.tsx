import { limits, listServices } from "@flamekeep/contract";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { type ComponentProps, useId } from "react";
import { callQuery } from "#api/call-query.ts";
import { Field } from "#ui/controls/field.tsx";
import { useDebounced } from "#ui/hooks/search-text.ts";

/** As many as somebody reads before typing more. */
const offeredMax = 50;
const typingMs = 200;

/** Services that have data, whatever its age, with the text in their name; those that begin with it first. */
function servicesNamed(text: string, organization: string | undefined) {
  const query = {
    since: `${limits.sinceDaysMax}d`,
    q: text.trim().slice(0, limits.searchLengthMax),
    order: "name",
    limit: offeredMax,
  } as const;
  return callQuery(
    ["services", "named", query.q, organization],
    listServices,
    { query, organization },
    { placeholderData: keepPreviousData },
  );
}

/**
 * Names that complete a text that somebody types; undefined while they load.
 *
 * @param organization another one than that of the session
 */
export function useServiceNames(text: string, organization?: string): readonly string[] | undefined {
  const settled = useDebounced(text, typingMs);
  return useQuery(servicesNamed(settled, organization)).data?.services.map(({ name }) => name);
}

type ServiceFieldProps = Omit<ComponentProps<typeof Field>, "label" | "value"> & {
  readonly value: string;
  readonly label?: string;
  /** The id of another organization that has the service. */
  readonly organization?: string | undefined;
};

/** The name of a service, completed from those that have data. */
export function ServiceField({ label = "Service", organization, ...props }: ServiceFieldProps) {
  const id = useId();
  const names = useServiceNames(props.value, organization) ?? [];
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
        {names.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
    </div>
  );
}
