import { limits, type TargetProfile } from "@flamekeep/contract";
import { PullError } from "#pull/connect/client.ts";

/** A process that serves profiles. */
export interface Instance {
  /** Host and port: the tag `instance`. */
  readonly instance: string;
  readonly service: string;
  readonly tags: Readonly<Record<string, string>>;
  /** `http://10.1.2.3:6060`, with a path that comes before the target's prefix. */
  readonly origin: string;
  /** Undefined: those of the target. */
  readonly profiles?: readonly TargetProfile[];
}

/** `host:port`, with brackets around an IPv6 address. */
export function hostPort(host: string, port: number): string {
  return `${host.includes(":") ? `[${host}]` : host}:${port}`;
}

export function checkCount(count: number): void {
  if (count > limits.targetInstancesMax)
    throw new PullError(
      `The target has ${count} processes, and may have ${limits.targetInstancesMax}. Divide it into several targets.`,
    );
}
