import { useRouter, useSearch } from "@tanstack/react-router";
import { fromBase } from "#url/base-path.ts";

interface Return {
  /** For links between the sign-in pages, so that the destination is not lost. */
  readonly search: { readonly return_to?: string };
  /** Opens the page that asked for a session, or the dashboard. */
  readonly goOn: () => Promise<void>;
}

export function useReturn(): Return {
  const router = useRouter();
  const { return_to: target } = useSearch({ strict: false });
  const hasTarget = typeof target === "string";
  return {
    search: hasTarget ? { return_to: target } : {},
    goOn: () => router.navigate({ href: fromBase(hasTarget ? target : "/dashboard"), replace: true }),
  };
}
