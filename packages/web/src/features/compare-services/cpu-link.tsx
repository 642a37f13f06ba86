import type { SharedFunction } from "@flamekeep/contract";
import { shortFunctionName, shownName } from "@flamekeep/flame/without-graph";
import type { ReactNode } from "react";
import { FunctionLink } from "#profile-list/function-link.tsx";

interface CpuLinkProps {
  readonly service: string;
  readonly found: SharedFunction;
  /** The end of the function's name if left out. */
  readonly children?: ReactNode;
}

/** Opens the CPU flame graph of a service at the widest place of a function. */
export function CpuLink({ service, found, children }: CpuLinkProps) {
  const isName = children === undefined;
  return (
    <FunctionLink
      {...{ service, type: "cpu", fn: found.ref }}
      title={`${shownName(found.name)}\nOpen the flame graph of ${service} at this function`}
      className={`${isName ? "block truncate-start font-mono text-code" : "font-medium"} hover:text-accent-text hover:underline`}
    >
      {isName ? <bdi>{shortFunctionName(found.name)}</bdi> : children}
    </FunctionLink>
  );
}
