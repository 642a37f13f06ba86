import type { ServerStatus } from "@flamekeep/contract";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { unreachableText, useIsServerReachable } from "#api/reachability.ts";
import { statusQuery } from "#api/status-query.ts";

const intervalMs = { reachable: 10_000, unreachable: 2_000 };

export function useServerStatus() {
  const isReachable = useIsServerReachable();
  return useQuery({
    ...statusQuery,
    refetchInterval: isReachable ? intervalMs.reachable : intervalMs.unreachable,
  });
}

/** Asks for the status as soon as the browser loses or finds a network: it need not mean that the server is away. */
export function useStatusOfNetwork(): void {
  const client = useQueryClient();
  useEffect(() => {
    const ask = () => void client.refetchQueries(statusQuery);
    const ends = new AbortController();
    for (const name of ["offline", "online"]) window.addEventListener(name, ask, ends);
    return () => ends.abort();
  }, [client]);
}

interface ServerHealth {
  readonly isFine: boolean;
  /** Some check fails now, as opposed to a warning about an earlier fault. */
  readonly isFailing: boolean;
  readonly text: string;
  /** CPU use of the server; undefined while it does not answer, because an old figure would mislead. */
  readonly cpu?: string;
}

/** The server's own status, or that the last request of any kind did not reach it. Undefined until the first response. */
export function useServerHealth(): ServerHealth | undefined {
  const isReachable = useIsServerReachable();
  const { data: status, error } = useServerStatus();
  if (!isReachable) return { isFine: false, isFailing: true, text: unreachableText() };
  if (error !== null) return { isFine: false, isFailing: true, text: error.message };
  if (status === undefined) return undefined;
  return {
    isFine: status.status !== "degraded",
    isFailing: status.checks.some(({ ok }) => !ok),
    text: status.message,
    cpu: serverCpuText(status),
  };
}

/** CPU use of the server's process: `2% of one core`, `1.4 cores`. */
export function serverCpuText({ cpu_percent }: Pick<ServerStatus, "cpu_percent">): string {
  if (cpu_percent < 100) return `${Math.round(cpu_percent)}% of one core`;
  const cores = (cpu_percent / 100).toFixed(1).replace(/\.0$/, "");
  return `${cores} ${cores === "1" ? "core" : "cores"}`;
}
