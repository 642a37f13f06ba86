import { useQuery } from "@tanstack/react-query";
import { configQuery } from "#api/query-client.ts";
import { cx } from "#ui/cx.ts";

/** Whether the server responds. Reserves its space until the first response. */
export function ApiChip() {
  const { status } = useQuery(configQuery);
  const isThere = status === "success";
  return (
    <p
      role="status"
      className={cx(
        "inline-flex items-center gap-2 rounded-full border border-line bg-surface px-3 py-1 text-label",
        status === "pending" && "invisible",
      )}
    >
      <span aria-hidden className={cx("size-2 rounded-full", isThere ? "bg-ok" : "bg-warning")} />
      <span className="font-medium">{isThere ? "API CONNECTED" : "API NOT CONNECTED"}</span>
      <span className="text-muted">{isThere ? "Using Live API" : "The server cannot be reached"}</span>
    </p>
  );
}
