import type { SharedFunction } from "@flamekeep/contract";
import { shortFunctionName, shownName } from "@flamekeep/flame/without-graph";
import type { ReactNode } from "react";
import { FunctionLink } from "#profile-list/function-link.tsx";
import type { Side } from "./model.ts";

interface CpuLinkProps {
  /** The side that has the service. */
  readonly side: Side;
  readonly service: string;
  readonly found: SharedFunction;
  /** The end of the function's name if left out. */
  readonly children?: ReactNode;
}

/** Opens the CPU flame graph of a service at the widest place of a function. Text in another organization, whose pages need a switch. */
export function CpuLink({ side, service, found, children }: CpuLinkProps) {
  const isName = children === undefined;
  const content = isName ? <bdi>{shortFunctionName(found.name)}</bdi> : children;
  const className = isName ? "block truncate-start font-mono text-code" : "font-medium";
  const name = shownName(found.name);
  if (side.isElsewhere) {
    return (
      <span
        title={`${name}\nSwitch to the organization to open the flame graph of ${service}`}
        className={className}
      >
        {content}
      </span>
    );
  }
  return (
    <FunctionLink
      {...{ service, type: "cpu", fn: found.ref }}
      title={`${name}\nOpen the flame graph of ${service} at this function`}
      className={`${className} hover:text-accent-text hover:underline`}
    >
      {content}
    </FunctionLink>
  );
}
