import type { GraphType } from "@flamekeep/contract";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";

interface FunctionLinkProps {
  readonly service: string;
  readonly type: GraphType;
  /** The function, as links refer to it. */
  readonly fn: string;
  readonly title: string;
  readonly className: string;
  readonly children: ReactNode;
}

/** Opens the flame graph of a service at the widest place of a function. */
export function FunctionLink({ service, type, fn, children, ...rest }: FunctionLinkProps) {
  return (
    <Link
      to="/profiles/service/$serviceName/$type"
      params={{ serviceName: service, type }}
      search={{ fn, zoom: "@" }}
      {...rest}
    >
      {children}
    </Link>
  );
}
