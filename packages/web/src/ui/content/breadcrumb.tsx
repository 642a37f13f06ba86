import { ChevronRight } from "lucide-react";
import { Children, type ReactNode } from "react";

export function Breadcrumb({ children }: { readonly children: ReactNode }) {
  return (
    <nav aria-label="Breadcrumb">
      <ol className="flex min-w-0 flex-wrap items-center gap-1.5 text-label text-muted [&_a:hover]:text-text max-md:[&_a]:-my-3 max-md:[&_a]:py-3">
        {Children.map(children, (child, index) => (
          <li className="flex min-w-0 items-center gap-1.5">
            {index > 0 && <ChevronRight aria-hidden className="size-3 shrink-0" />}
            {child}
          </li>
        ))}
      </ol>
    </nav>
  );
}
