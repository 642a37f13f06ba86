// The series of alerts about silence: `silence/service` of a service from which nothing arrives, `silence/cpu` of one of its types.
import { ProfileType } from "@flamekeep/contract/schemas";
import { evidenceType } from "#alerts/detect/watched/http-signals.ts";
import type { SenderService } from "#store/profiles/sending/sender-states.ts";
import type { TypeState } from "#store/profiles/sending/silence.ts";

const prefix = "silence/";
const wholeService = `${prefix}service`;

/** A silence that an alert is about. */
export interface Silence {
  readonly service: string;
  /** The profile type of the alert: HTTP metrics have none, and a silent service has that of its most frequent type. */
  readonly type: string;
  readonly sampleType: string;
  /** The silent type that sent most often: its last profile is the evidence. */
  readonly evidence: TypeState;
  /** When the last upload arrived. */
  readonly sinceMs: number;
}

export function isSilence({ sampleType }: { readonly sampleType: string }): boolean {
  return sampleType.startsWith(prefix);
}

/** For queries: the sample types of all alerts about silence. */
export const silencePattern = `${prefix}%`;

/** A silent service is one silence; of a service that sends other types, each silent type is. */
export function silencesOf({ service, state, sinceMs, types }: SenderService): Silence[] {
  const silent = types
    .filter((each) => each.state === "silent")
    .sort((a, b) => (a.intervalMs ?? 0) - (b.intervalMs ?? 0) || (a.type < b.type ? -1 : 1));
  const [first] = silent;
  if (first === undefined) return [];
  if (state === "silent")
    return [
      {
        service,
        type: typeOf(first),
        sampleType: wholeService,
        evidence: first,
        sinceMs: sinceMs ?? first.receivedMs,
      },
    ];
  return silent.map((each) => ({
    service,
    type: typeOf(each),
    sampleType: `${prefix}${each.type}`,
    evidence: each,
    sinceMs: each.receivedMs,
  }));
}

function typeOf({ type }: TypeState): string {
  return ProfileType.safeParse(type).success ? type : evidenceType;
}

/** When the latest upload of the series arrived; undefined if there is none any more. */
export function lastReceivedMs(sampleType: string, sender: SenderService | undefined): number | undefined {
  const own = sender?.types.filter(
    ({ type }) => sampleType === wholeService || sampleType === `${prefix}${type}`,
  );
  return own === undefined || own.length === 0
    ? undefined
    : Math.max(...own.map(({ receivedMs }) => receivedMs));
}
