import { Field as BaseField } from "@base-ui/react/field";
import type { ComponentProps, ReactNode } from "react";
import { cx } from "#ui/cx.ts";
import { Input } from "./input.tsx";

interface FieldProps extends Omit<ComponentProps<typeof Input>, "name"> {
  readonly label: string;
  readonly name: string;
  readonly hint?: ReactNode;
  /** The hint then says what is wrong. */
  readonly isInvalid?: boolean;
  readonly aside?: ReactNode;
}

export function Field({ label, name, hint, isInvalid = false, aside, ...input }: FieldProps) {
  return (
    <BaseField.Root name={name} invalid={isInvalid} className="flex flex-col gap-1.5">
      <div className="flex items-baseline justify-between gap-3">
        <BaseField.Label className="font-medium text-body">{label}</BaseField.Label>
        {aside}
      </div>
      <Input name={name} {...input} />
      {hint && (
        <BaseField.Description className={cx("text-label", isInvalid ? "text-critical-text" : "text-muted")}>
          {hint}
        </BaseField.Description>
      )}
    </BaseField.Root>
  );
}
