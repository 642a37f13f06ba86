import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { configure, render } from "@testing-library/react";
import type { ReactNode } from "react";
import { takeToasts } from "#ui/overlays/toast.ts";

// A busy machine needs longer than the default second.
configure({ asyncUtilTimeout: 30_000 });

/** Renders an element with a query client that never retries, and without the toasts of earlier tests. */
export function renderWithQueries(element: ReactNode) {
  const stopTaking = takeToasts(() => undefined);
  stopTaking();
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  return render(<QueryClientProvider client={client}>{element}</QueryClientProvider>);
}
