import { lazy, memo, Suspense, useDeferredValue } from "react";
import { importPage } from "#api/import-page.ts";
import type { ValueTableProps } from "./value-table.tsx";

const ValueTable = lazy(async () => ({
  default: (await importPage(() => import("./value-table.tsx"))).ValueTable,
}));

/** The chart as a table for screen readers. The chart is painted before it is made. */
export const DataTable = memo(function DataTable(props: ValueTableProps) {
  const isPainted = useDeferredValue(true, false);
  return (
    isPainted && (
      <Suspense>
        <ValueTable {...props} />
      </Suspense>
    )
  );
});
