import { type AlertRow, Circumstances } from "#alerts/stored-alert.ts";

type Tags = Readonly<Record<string, string>>;

/** The alerts that a mute silences. A null is any service or type; without tags, the tags of profiles do not matter. */
export interface MuteScope {
  readonly service: string | null;
  readonly type: string | null;
  readonly tags: Tags;
}

type Subject = Pick<AlertRow, "service" | "type" | "increase" | "circumstances"> &
  Partial<Pick<AlertRow, "ruleId">>;

/** A mute by tags needs this part of the rise in profiles with them. */
const shareMin = 0.5;
/** The rest of the rise must be smaller than any that opens an alert. */
const restMax = 0.15;

/** Whether one of these mutes, which are in force, silences the alert. */
export function isMuted(alert: Subject, mutes: readonly MuteScope[]): boolean {
  return mutes.some(
    ({ service, type, tags }) =>
      (service === null || service === alert.service) &&
      (type === null || type === alert.type) &&
      (Object.keys(tags).length === 0 || isInTags(alert, tags)),
  );
}

/** A rule is muted by tags only if all of its profiles have them: the value of the others alone is not known. */
const shareOfRuleMin = 0.999;

/** Whether the rise is in profiles with all of these tags: alone, the others would have opened no alert. */
function isInTags({ circumstances, increase, ruleId }: Subject, tags: Tags): boolean {
  if (circumstances === null) return false;
  const { parts } = Circumstances.parse(JSON.parse(circumstances));
  const names = Object.keys(tags);
  const tagged = parts.filter((part) => names.every((name) => part.tags[name] === tags[name]));
  const share = tagged.reduce((sum, part) => sum + part.share, 0);
  if (ruleId !== undefined && ruleId !== null) return share >= shareOfRuleMin;
  return share >= shareMin && (1 - share) * increase < restMax;
}
