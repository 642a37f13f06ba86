import { CircleAlert, CircleCheck } from "lucide-react";
import { type FormEvent, type MouseEvent, type ReactNode, useId, useState } from "react";
import type { FormProblem } from "#ui/controls/password-rules.ts";

interface AccountForm {
  readonly problem: FormProblem | undefined;
  /** For the summary of the form; fields that it is about name it as their description. */
  readonly summaryId: string;
  /** Props of the field with this name. */
  readonly field: (name: string) => FieldProps;
  readonly onSubmit: (event: FormEvent<HTMLFormElement>) => void;
  /** Shows a failure of the server. */
  readonly fail: (text: string) => void;
}

interface FieldProps {
  readonly name: string;
  readonly id: string;
  readonly isInvalid: boolean;
  readonly "aria-describedby"?: string;
}

/** Checks a form when it is sent, and focuses the first field that has to be changed. */
export function useAccountForm<F>(
  read: (data: FormData) => F,
  check: (form: F) => FormProblem | undefined,
  send: (form: F) => void,
): AccountForm {
  const [problem, setProblem] = useState<FormProblem>();
  const summaryId = useId();
  return {
    problem,
    summaryId,
    field(name) {
      const isInvalid = problem?.fields.includes(name) ?? false;
      return { name, id: name, isInvalid, ...(isInvalid && { "aria-describedby": summaryId }) };
    },
    fail: (text) => setProblem({ text, fields: [] }),
    onSubmit(event) {
      event.preventDefault();
      const form = read(new FormData(event.currentTarget));
      const found = check(form);
      setProblem(found);
      if (found === undefined) return send(form);
      focusField(found.fields[0]);
    },
  };
}

interface FormErrorProps {
  readonly form: Pick<AccountForm, "problem" | "summaryId">;
}

/** The summary of a form. It links to the first field that has to be changed. */
export function FormError({ form: { problem, summaryId } }: FormErrorProps) {
  if (problem === undefined) return null;
  const [first] = problem.fields;
  const follow = (event: MouseEvent) => {
    event.preventDefault();
    focusField(first);
  };
  return (
    <p
      id={summaryId}
      role="alert"
      className="flex items-start gap-2 rounded-control bg-critical/10 px-3 py-2 text-critical-text"
    >
      <CircleAlert aria-hidden className="mt-0.5 size-4 shrink-0" strokeWidth={1.75} />
      {first === undefined ? (
        <span className="min-w-0 [overflow-wrap:anywhere]">{problem.text}</span>
      ) : (
        <a href={`#${first}`} onClick={follow} className="min-w-0 rounded-badge hover:underline">
          {problem.text}
        </a>
      )}
    </p>
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

function focusField(name: string | undefined): void {
  if (name !== undefined) document.getElementById(name)?.focus();
}
