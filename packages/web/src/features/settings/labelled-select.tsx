import { Select } from "#ui/controls/select.tsx";

interface LabelledSelectProps<V extends string> {
  readonly label: string;
  readonly value: V;
  readonly options: readonly { readonly value: V; readonly label: string }[];
  readonly onChange: (value: V) => void;
}

/** A select under its name, as a field of a form. */
export function LabelledSelect<V extends string>(props: LabelledSelectProps<V>) {
  return (
    <div className="flex flex-col gap-1.5">
      <span aria-hidden className="font-medium text-body">
        {props.label}
      </span>
      <Select {...props} className="w-full" />
    </div>
  );
}
