import { useQuery } from "@tanstack/react-query";
import type { ComponentProps } from "react";
import { useServiceNames } from "#profile-list/service-field.tsx";
import { serviceTagsQuery } from "#sample-labels/queries.ts";
import { Field } from "#ui/controls/field.tsx";
import { tagChoices } from "./tags-text.ts";

interface TagsFieldProps extends Omit<ComponentProps<typeof Field>, "label" | "value"> {
  /** The service whose tags complete the text; empty for none. */
  readonly service: string;
  readonly value: string;
}

/** `env:staging, region:eu`; the last one is completed from the tags of the service. */
export function TagsField({ service, ...props }: TagsFieldProps) {
  const name = service.trim();
  const names = useServiceNames(name);
  const { data } = useQuery({
    ...serviceTagsQuery({ service: name, range: { from: "7d", to: "now" }, tab: "all", q: "" }),
    // Not for each letter of a name.
    enabled: names?.includes(name) ?? false,
  });
  return (
    <div className="flex flex-col">
      <Field label="Tags" list="known-tags" autoComplete="off" {...props} />
      <datalist id="known-tags">
        {tagChoices(props.value, data?.tags ?? []).map((text) => (
          <option key={text} value={text} />
        ))}
      </datalist>
    </div>
  );
}
