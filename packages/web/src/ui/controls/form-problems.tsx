import { CircleAlert } from "lucide-react";
import { type FormEvent, useState } from "react";

/** A field that cannot be sent as it is, and why. */
export interface Problem {
  readonly field: string;
  readonly text: string;
}

interface CheckedForm {
  readonly problems: readonly Problem[];
  /** Text under a field: its problem, or the hint. */
  readonly hintOf: (field: string, hint?: string) => { readonly hint?: string; readonly isInvalid: boolean };
  readonly onSubmit: (event: FormEvent<HTMLFormElement>) => void;
}

/** Checks a form when it is sent: shows all problems and focuses the first field that has one. */
export function useCheckedForm(check: () => readonly Problem[], send: () => void): CheckedForm {
  const [problems, setProblems] = useState<readonly Problem[]>([]);
  return {
    problems,
    hintOf(field, hint) {
      const text = problems.find((problem) => problem.field === field)?.text ?? hint;
      return {
        isInvalid: problems.some((problem) => problem.field === field),
        ...(text !== undefined && { hint: text }),
      };
    },
    onSubmit(event) {
      event.preventDefault();
      const found = check();
      setProblems(found);
      const [first] = found;
      if (first === undefined) return send();
      const element = event.currentTarget.elements.namedItem(first.field);
      if (element instanceof HTMLElement) element.focus();
    },
  };
}

interface FormProblemsProps {
  readonly problems: readonly Problem[];
  /** Why the server did not accept the form. */
  readonly failure?: string | undefined;
}

/** The summary of a form: what has to be changed, or what the server said. */
export function FormProblems({ problems, failure }: FormProblemsProps) {
  const texts =
    problems.length > 0 ? problems.map(({ text }) => text) : failure === undefined ? [] : [failure];
  if (texts.length === 0) return null;
  return (
    <div
      role="alert"
      className="flex items-start gap-2 rounded-control bg-critical/10 px-3 py-2 text-critical-text"
    >
      <CircleAlert aria-hidden className="mt-0.5 size-4 shrink-0" strokeWidth={1.75} />
      <ul className="min-w-0 [overflow-wrap:anywhere]">
        {texts.map((text) => (
          <li key={text}>{text}</li>
        ))}
      </ul>
    </div>
  );
}
