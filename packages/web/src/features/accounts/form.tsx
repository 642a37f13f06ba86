import { CircleCheck } from "lucide-react";
import type { ReactNode } from "react";
import { Button } from "#ui/controls/button.tsx";
import { type CheckedForm, FormProblems, useCheckedForm } from "#ui/controls/form-problems.tsx";
import { type FormProblem, fieldProblems } from "#ui/controls/password-rules.ts";

interface CheckedAccountForm extends CheckedForm {
  /** Props of the field with this name. */
  readonly field: (name: string) => FieldProps;
}

interface FieldProps {
  readonly name: string;
  readonly id: string;
  readonly isInvalid: boolean;
  readonly "aria-describedby"?: string;
}

/** A form with one problem at a time, of one or more fields. Only the summary has its text. */
export function useAccountForm<F>(
  read: (data: FormData) => F,
  check: (form: F) => FormProblem | undefined,
  send: (form: F) => void,
): CheckedAccountForm {
  const form = useCheckedForm(
    (data) => fieldProblems(check(read(data))),
    (data) => send(read(data)),
  );
  return {
    ...form,
    field(name) {
      const { isInvalid } = form.hintOf(name);
      return { name, id: name, isInvalid, ...(isInvalid && { "aria-describedby": form.summaryId }) };
    },
  };
}

interface AccountFormProps {
  readonly form: CheckedAccountForm;
  readonly request: { readonly isPending: boolean; readonly error: Error | null };
  /** The text of a failure that the server does not explain. */
  readonly failedText: string;
  readonly action: string;
  readonly pendingAction: string;
  readonly children: ReactNode;
}

export function AccountForm(props: AccountFormProps) {
  const { form, request, failedText, action, pendingAction, children } = props;
  return (
    <form noValidate onSubmit={form.onSubmit} className="flex flex-col gap-4">
      {children}
      <FormProblems id={form.summaryId} problems={form.problems} error={request.error} failure={failedText} />
      <Button type="submit" variant="primary" size="lg" className="mt-1 w-full" disabled={request.isPending}>
        {request.isPending ? pendingAction : action}
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

/** Value of a text field. */
export function formText(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === "string" ? value : "";
}
