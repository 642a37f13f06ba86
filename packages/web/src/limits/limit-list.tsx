import { type LimitName, type LimitsInUse, limitNames } from "@flamekeep/contract";
import { Badge } from "#ui/content/badge.tsx";
import { type LimitState, limitLabels, sourceTexts, stateOf, usageText, usedShare } from "./model.ts";

const barTones: Readonly<Record<LimitState, string>> = {
  free: "bg-muted",
  near: "bg-warning",
  reached: "bg-critical",
};

/** The limits of an organization, each with its usage and where it comes from. */
export function LimitList({ limits }: { readonly limits: LimitsInUse }) {
  return (
    <dl className="grid grid-cols-[repeat(auto-fit,minmax(8rem,1fr))] gap-x-6 gap-y-3">
      {limitNames.map((name) => (
        <LimitInUse key={name} name={name} limits={limits} />
      ))}
    </dl>
  );
}

function LimitInUse({ name, limits }: { readonly name: LimitName; readonly limits: LimitsInUse }) {
  const limit = limits[name];
  const state = stateOf(name, limit);
  const share = usedShare(name, limit);
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <dt className="flex min-h-5 items-center gap-2 text-label text-muted">
        {limitLabels[name]}
        {state !== "free" && (
          <Badge tone={state === "near" ? "warning" : "critical"}>
            {state === "near" ? "Nearly used up" : "Reached"}
          </Badge>
        )}
      </dt>
      <dd className="flex flex-col gap-1">
        <span>{usageText(name, limit)}</span>
        {share !== undefined && (
          <span aria-hidden className="block h-1 overflow-hidden rounded-full bg-surface-2">
            <span className={`block h-full ${barTones[state]}`} style={{ width: `${100 * share}%` }} />
          </span>
        )}
        <span className="text-label text-muted">{sourceTexts[limit.source]}</span>
      </dd>
    </div>
  );
}
