import { LoaderCircle } from "lucide-react";

export function Spinner({ label }: { readonly label: string }) {
  return (
    <span role="status" aria-label={label} className="inline-flex items-center gap-2 text-muted">
      <LoaderCircle aria-hidden className="size-4 animate-spin" strokeWidth={1.75} />
      <span>{label}</span>
    </span>
  );
}

export function FullPageSpinner({ label = "Loading" }: { readonly label?: string }) {
  return (
    <div className="grid min-h-dvh place-items-center">
      <Spinner label={label} />
    </div>
  );
}
