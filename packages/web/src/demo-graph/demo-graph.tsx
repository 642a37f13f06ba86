import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense } from "react";
import { importPage } from "#api/import-page.ts";
import { configQuery } from "#api/query-client.ts";

const DrawnGraph = lazy(async () => ({
  default: (await importPage(() => import("./drawn-graph.tsx"))).DrawnGraph,
}));

/** A flame graph of the demo, or the recorded one where there is no demo. Loaded after the page around it. */
export function DemoGraph({ captionClass }: { readonly captionClass: string }) {
  const { data: config, isError } = useQuery(configQuery);
  if (config === undefined && !isError) return null;
  return (
    <Suspense>
      <DrawnGraph hasDemo={config?.demo === true} captionClass={captionClass} />
    </Suspense>
  );
}
