import type { HttpTimeline } from "@flamekeep/contract";
import { Link } from "@tanstack/react-router";
import { useMayChange } from "#session/session.ts";
import { buttonClass } from "#ui/controls/button.tsx";
import { type RequestSignal, ruleFields } from "./rule-fields.ts";

interface AlertOnThisProps {
  readonly title: string;
  readonly signal: RequestSignal;
  readonly service: string;
  /** As rules name it; all requests of the service where it is left out. */
  readonly route?: string;
  readonly timeline: HttpTimeline;
}

/** Opens the form of a rule about the values of a chart. */
export function AlertOnThis({ title, signal, timeline, ...subject }: AlertOnThisProps) {
  if (!useMayChange()) return null;
  return (
    <Link
      to="/settings"
      search={{ tab: "alerts", rule: "new", ...ruleFields(signal, subject, timeline) }}
      aria-label={`Alert on this: ${title.toLowerCase()}`}
      className={buttonClass("ghost", "sm")}
    >
      Alert on this
    </Link>
  );
}
