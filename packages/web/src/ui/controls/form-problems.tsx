import { useMutation } from "@tanstack/react-query";
import { CircleAlert } from "lucide-react";
import { type ChangeEvent, type FormEvent, type MouseEvent, useId, useState } from "react";
import { serverText } from "#api/reply.ts";

/** A field that cannot be sent as it is, and why. */
export interface Problem {
  readonly field: string;
  readonly text: string;
}

export interface CheckedForm {
  readonly problems: readonly Problem[];
  /** For the summary of the form, as which fields may name it as their description. */
  readonly summaryId: string;
  /** Text under a field: its problem, or the hint. */
  readonly hintOf: (field: string, hint?: string) => { readonly hint?: string; readonly isInvalid: boolean };
  readonly onSubmit: (event: FormEvent<HTMLFormElement>) => void;
}

/**
 * Checks a form when it is sent: shows all problems and focuses the first field that has one.
 * @param remains whether a problem that was found is still one
 */
export function useCheckedForm(
  check: (data: FormData) => readonly Problem[],
  send: (data: FormData) => void,
  remains: (problem: Problem) => boolean = () => true,
): CheckedForm {
  const [found, setFound] = useState<readonly Problem[]>([]);
  const problems = found.filter(remains);
  const summaryId = useId();
  return {
    problems,
    summaryId,
    hintOf(field, hint) {
      const problem = problems.find((each) => each.field === field);
      const text = problem?.text ?? hint;
      return { isInvalid: problem !== undefined, ...(text !== undefined && { hint: text }) };
    },
    onSubmit(event) {
      event.preventDefault();
      const data = new FormData(event.currentTarget);
      const checked = check(data);
      setFound(checked);
      const [first] = checked;
      if (first === undefined) return send(data);
      focusField(event.currentTarget, first.field);
    },
  };
}

/** A form that is checked and then sent by one call. */
export interface SentForm extends CheckedForm {
  readonly isPending: boolean;
  /** Why sending failed the last time. */
  readonly error: Error | null;
}

/** A `SentForm` that keeps its values. */
export interface Form<V> extends SentForm {
  readonly values: V;
  readonly set: (part: Partial<V>) => void;
  /** The properties of the `Field` with a text. */
  readonly field: (name: keyof V & string, hint?: string) => FieldProperties;
  /** The properties of the `LabelledSelect` with a value. */
  readonly choice: <K extends keyof V>(name: K) => { value: V[K]; onChange: (value: V[K]) => void };
}

interface FieldProperties {
  readonly name: string;
  readonly value: string;
  readonly onChange: (event: ChangeEvent<HTMLInputElement>) => void;
  readonly hint?: string;
  readonly isInvalid: boolean;
}

interface FormDefinition<V, Reply> {
  /** The values at first. */
  readonly initial: () => V;
  /** The problems of the values; none where they can be sent. */
  readonly check?: (values: V) => readonly Problem[];
  readonly send: (values: V) => Promise<Reply>;
  readonly onSent: (reply: Reply, values: V) => unknown;
}

export function useForm<V extends object, Reply>(definition: FormDefinition<V, Reply>): Form<V> {
  const [values, setValues] = useState(definition.initial);
  const sending = useMutation({
    mutationFn: () => definition.send(values),
    onSuccess: (reply) => definition.onSent(reply, values),
  });
  const current = definition.check?.(values) ?? [];
  const form = useCheckedForm(
    () => current,
    () => sending.mutate(),
    ({ field, text }) => current.some((each) => each.field === field && each.text === text),
  );
  const set = (part: Partial<V>) => setValues((before) => ({ ...before, ...part }));
  return {
    ...form,
    values,
    set,
    field: (name, hint) => ({
      name,
      value: String(values[name]),
      onChange: (event) => set({ [name]: event.target.value } as Partial<V>),
      ...form.hintOf(name, hint),
    }),
    choice: (name) => ({
      value: values[name],
      onChange: (value) => set({ [name]: value } as unknown as Partial<V>),
    }),
    isPending: sending.isPending,
    error: sending.error,
  };
}

interface FormProblemsProps {
  readonly id?: string | undefined;
  readonly problems?: readonly Problem[];
  /** Why the server did not accept the form; with `error`, the text where the server did not say why. */
  readonly failure?: string | undefined;
  /** The failure of the call; null while there is none. */
  readonly error?: Error | null;
}

/** The summary of a form: what has to be changed, with links to the fields, or what the server said. */
export function FormProblems({ id, problems = [], error, failure = "" }: FormProblemsProps) {
  if (problems.length === 0 && (error === null || failure === "")) return null;
  // Several fields can have one problem, such as being blank.
  const distinct = problems.filter(({ text }, at) => problems.findIndex((each) => each.text === text) === at);
  return (
    <div
      id={id}
      role="alert"
      className="flex items-start gap-2 rounded-control bg-critical/10 px-3 py-2 text-critical-text"
    >
      <CircleAlert aria-hidden className="mt-0.5 size-4 shrink-0" strokeWidth={1.75} />
      <ul className="min-w-0 [overflow-wrap:anywhere]">
        {distinct.length === 0 && <li>{error ? serverText(error, failure) : failure}</li>}
        {distinct.map((problem) => (
          <li key={problem.text}>
            <FieldLink {...problem} />
          </li>
        ))}
      </ul>
    </div>
  );
}

function FieldLink({ field, text }: Problem) {
  function follow(event: MouseEvent<HTMLAnchorElement>) {
    event.preventDefault();
    focusField(event.currentTarget.closest("form"), field);
  }
  return (
    <a href={`#${field}`} onClick={follow} className="rounded-badge hover:underline">
      {text}
    </a>
  );
}

function focusField(form: HTMLFormElement | null, name: string): void {
  const element = form?.elements.namedItem(name);
  if (element instanceof HTMLElement) element.focus();
}
