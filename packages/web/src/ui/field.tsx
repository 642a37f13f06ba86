import { Field as BaseField } from "@base-ui/react/field";
import type { ComponentProps, ReactNode } from "react";
import { Input } from "./input.tsx";

interface FieldProps extends Omit<ComponentProps<typeof Input>, "name"> {
  readonly label: string;
  readonly name: string;
  readonly hint?: ReactNode;
  /** What is wrong with the value; stands where the hint did. Empty text only marks the field. */
  readonly problem?: string | undefined;
  readonly aside?: ReactNode;
}

export function Field({ label, name, hint, problem, aside, ...input }: FieldProps) {
  return (
    <BaseField.Root name={name} invalid={problem !== undefined} className="flex flex-col gap-1.5">
      <div className="flex items-baseline justify-between gap-3">
        <BaseField.Label className="font-medium text-body">{label}</BaseField.Label>
        {aside}
      </div>
      <Input name={name} {...input} />
      {problem ? (
        <BaseField.Error match className="text-critical-text text-label">
          {problem}
        </BaseField.Error>
      ) : (
        hint && <BaseField.Description className="text-label text-muted">{hint}</BaseField.Description>
      )}
    </BaseField.Root>
  );
}
