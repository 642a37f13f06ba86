import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { configure, render } from "@testing-library/react";
import type { ReactNode } from "react";

// A busy machine needs longer than the default second.
configure({ asyncUtilTimeout: 30_000 });

/** Renders an element with a query client that never retries. */
export function renderWithQueries(element: ReactNode) {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  return render(<QueryClientProvider client={client}>{element}</QueryClientProvider>);
}
