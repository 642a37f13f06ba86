import { CircleAlert } from "lucide-react";

/** Focuses the first blank field and returns the names of all blank fields. */
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

/** Value of a text field. */
export function formText(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === "string" ? value : "";
}
