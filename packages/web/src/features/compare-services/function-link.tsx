import type { SharedFunction } from "@flamekeep/contract";
import { shortFunctionName, shownName } from "@flamekeep/flame/without-graph";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";

interface FunctionLinkProps {
  readonly service: string;
  readonly found: SharedFunction;
  /** The end of the function's name if left out. */
  readonly children?: ReactNode;
}

/** Opens the CPU flame graph of a service at the widest place of a function. */
export function FunctionLink({ service, found, children }: FunctionLinkProps) {
  const isName = children === undefined;
  return (
    <Link
      to="/profiles/service/$serviceName/$type"
      params={{ serviceName: service, type: "cpu" }}
      search={{ fn: found.ref, zoom: "@" }}
      title={`${shownName(found.name)}\nOpen the flame graph of ${service} at this function`}
      className={`${isName ? "block truncate-start font-mono text-code" : "font-medium"} hover:text-accent-text hover:underline`}
    >
      {isName ? <bdi>{shortFunctionName(found.name)}</bdi> : children}
    </Link>
  );
}
