import { useMutation } from "@tanstack/react-query";
import { CircleCheck } from "lucide-react";
import type { ReactNode } from "react";
import { Button } from "#ui/controls/button.tsx";
import { FormProblems, type SentForm, useCheckedForm } from "#ui/controls/form-problems.tsx";
import { type FormProblem, fieldProblems } from "#ui/controls/password-rules.ts";

interface SentAccountForm<Reply> extends SentForm {
  /** Undefined until the form was accepted. */
  readonly reply: Reply | undefined;
  /** Props of the field with this name. */
  readonly field: (name: string) => FieldProps;
}

interface FieldProps {
  readonly name: string;
  readonly id: string;
  readonly isInvalid: boolean;
  readonly "aria-describedby"?: string;
}

interface AccountFormDefinition<Name extends string, Reply> {
  readonly names: readonly Name[];
  readonly check: (entered: Readonly<Record<Name, string>>) => FormProblem | undefined;
  readonly send: (entered: Readonly<Record<Name, string>>) => Promise<Reply>;
  readonly onSent?: (reply: Reply) => unknown;
}

/** A form with one problem at a time, of one or more fields. Only the summary has its text. */
export function useAccountForm<Name extends string, Reply>(
  definition: AccountFormDefinition<Name, Reply>,
): SentAccountForm<Reply> {
  const { names, check, send, onSent } = definition;
  const {
    mutate,
    data: reply,
    isPending,
    error,
  } = useMutation({
    mutationFn: send,
    onSuccess: (accepted) => onSent?.(accepted),
  });
  const read = (data: FormData) =>
    Object.fromEntries(names.map((name) => [name, String(data.get(name) ?? "")])) as Record<Name, string>;
  const form = useCheckedForm(
    (data) => fieldProblems(check(read(data))),
    (data) => mutate(read(data)),
  );
  return {
    ...form,
    reply,
    isPending,
    error,
    field(name) {
      const { isInvalid } = form.hintOf(name);
      return { name, id: name, isInvalid, ...(isInvalid && { "aria-describedby": form.summaryId }) };
    },
  };
}

interface AccountFormProps {
  readonly form: SentForm;
  /** The text of a failure that the server does not explain. */
  readonly failedText: string;
  readonly action: string;
  readonly pendingAction: string;
  readonly children: ReactNode;
}

export function AccountForm(props: AccountFormProps) {
  const { form, failedText, action, pendingAction, children } = props;
  return (
    <form noValidate onSubmit={form.onSubmit} className="flex flex-col gap-4">
      {children}
      <FormProblems id={form.summaryId} problems={form.problems} error={form.error} failure={failedText} />
      <Button type="submit" variant="primary" size="lg" className="mt-1 w-full" disabled={form.isPending}>
        {form.isPending ? pendingAction : action}
      </Button>
    </form>
  );
}

export function FormSuccess({ children }: { readonly children: ReactNode }) {
  return (
    <p role="status" className="flex items-start gap-2 rounded-control bg-ok/10 px-3 py-2">
      <CircleCheck aria-hidden className="mt-0.5 size-4 shrink-0 text-ok-text" strokeWidth={1.75} />
      <span className="min-w-0 [overflow-wrap:anywhere]">{children}</span>
    </p>
  );
}
