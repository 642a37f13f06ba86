import { CircleAlert } from "lucide-react";

/** Names of the fields that were left empty; the first of them gets the focus. */
export function focusBlank(form: HTMLFormElement): readonly string[] {
  const blank = [...form.querySelectorAll("input")].filter((input) => input.value.trim() === "");
  blank[0]?.focus();
  return blank.map((input) => input.name);
}

export function FormError({ text }: { readonly text: string | undefined }) {
  if (text === undefined) return null;
  return (
    <p
      role="alert"
      className="flex items-start gap-2 rounded-control bg-critical/10 px-3 py-2 text-critical-text"
    >
      <CircleAlert aria-hidden className="mt-0.5 size-4 shrink-0" strokeWidth={1.75} />
      <span>{text}</span>
    </p>
  );
}

/** What stands in a text field of the form. */
export function formText(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === "string" ? value : "";
}
