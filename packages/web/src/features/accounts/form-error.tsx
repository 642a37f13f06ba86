import { CircleAlert } from "lucide-react";

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
