import { type Finding, functionLink } from "@flamekeep/contract";
import { shortFunctionName } from "@flamekeep/flame/without-graph";
import { Link } from "@tanstack/react-router";
import { categoryLabels, effectText, priorityTones } from "#ai-analysis/model.ts";
import { Badge } from "#ui/content/badge.tsx";
import { TableHead, tableClass } from "#ui/content/table.tsx";
import { Quantity, RelativeTime } from "#ui/content/values.tsx";
import { cx } from "#ui/cx.ts";
import { useIsNarrow } from "#ui/hooks/use-media.ts";
import { FindingOwner, FindingState } from "./finding-actions.tsx";
import { costMeasure, type FindingsReply, moneyText, placeText } from "./model.ts";

interface FindingListProps {
  readonly reply: FindingsReply;
}

/** A table; on narrow screens a list of cards. */
export function FindingList({ reply }: FindingListProps) {
  const isNarrow = useIsNarrow();
  return isNarrow ? <FindingCards reply={reply} /> : <FindingTable reply={reply} />;
}

const cell = "px-3 py-2 first:pl-4 last:pr-4";

function FindingTable({ reply: { findings, price } }: FindingListProps) {
  return (
    <div className="overflow-x-auto border-line border-t">
      <table className={tableClass}>
        <thead>
          <tr>
            <TableHead className="w-full">Finding</TableHead>
            <TableHead>Service</TableHead>
            <TableHead isNumeric>Costs now</TableHead>
            <TableHead isNumeric>Saves</TableHead>
            <TableHead>Priority</TableHead>
            <TableHead>Seen</TableHead>
            <TableHead>Owner</TableHead>
            <TableHead>State</TableHead>
          </tr>
        </thead>
        <tbody>
          {findings.map((finding) => (
            <tr
              key={finding.id}
              className="border-line border-t align-top transition-colors duration-120 hover:bg-surface-2"
            >
              <td className={cx(cell, "min-w-64 max-w-0")}>
                <FindingSubject finding={finding} />
              </td>
              <td className={cell}>
                <ServiceLink finding={finding} />
              </td>
              <td className={cx(cell, "text-right")}>
                <Cost cost={finding.cost} price={price} />
              </td>
              <td className={cx(cell, "text-right")}>
                <Cost cost={finding.saving} price={price} />
              </td>
              <td className={cell}>
                <Badge tone={priorityTones[finding.priority]}>{finding.priority}</Badge>
              </td>
              <td className={cx(cell, "whitespace-nowrap text-muted")}>
                <Seen finding={finding} />
              </td>
              <td className={cell}>
                <FindingOwner finding={finding} />
              </td>
              <td className={cell}>
                <FindingState finding={finding} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function FindingCards({ reply: { findings, price } }: FindingListProps) {
  return (
    <ul className="divide-y divide-line border-line border-t">
      {findings.map((finding) => (
        <li key={finding.id} className="flex min-w-0 flex-col gap-2 px-4 py-3">
          <FindingSubject finding={finding} />
          <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <ServiceLink finding={finding} />
            <Badge tone={priorityTones[finding.priority]}>{finding.priority} priority</Badge>
            <span className="text-label text-muted">
              <Seen finding={finding} />
            </span>
          </div>
          <dl className="flex flex-wrap gap-x-6 gap-y-1">
            <div className="flex items-baseline gap-2">
              <dt className="text-label text-muted">Costs now</dt>
              <dd>
                <Cost cost={finding.cost} price={price} />
              </dd>
            </div>
            <div className="flex items-baseline gap-2">
              <dt className="text-label text-muted">Saves</dt>
              <dd>
                <Cost cost={finding.saving} price={price} />
              </dd>
            </div>
          </dl>
          <div className="flex flex-wrap gap-2">
            <FindingOwner finding={finding} />
            <FindingState finding={finding} />
          </div>
        </li>
      ))}
    </ul>
  );
}

interface FindingProps {
  readonly finding: Finding;
}

/** The issue, which leads to its analysis, and its function, which leads to the flame graph. */
function FindingSubject({ finding }: FindingProps) {
  const { function: found, category, is_current: isCurrent, reason, effect, cost, impact } = finding;
  const outcome = effectText(effect);
  return (
    <div className="flex min-w-0 flex-col gap-0.5">
      <AnalysisLink finding={finding} />
      {found !== null && (
        <span className="flex min-w-0 items-baseline gap-2">
          <FunctionLink finding={finding} found={found} />
          <span title={found.file} className="shrink-0 text-label text-muted">
            {placeText(found)}
          </span>
        </span>
      )}
      <span className="text-label text-muted">
        {categoryLabels[category]}
        {!isCurrent && ", not in the newest analysis"}
        {reason !== null && `, dismissed: ${reason}`}
      </span>
      {cost === null && <span className="text-label text-muted">{impact}</span>}
      {outcome !== undefined && (
        <span
          className={cx(
            "text-label",
            effect?.status === "improved"
              ? "text-ok-text"
              : effect?.status === "worse"
                ? "text-critical-text"
                : "text-muted",
          )}
        >
          {outcome}
        </span>
      )}
    </div>
  );
}

const linkClass = "font-medium [overflow-wrap:anywhere] hover:text-accent-text hover:underline";

function AnalysisLink({ finding }: FindingProps) {
  const { issue, profile_id: profileId, service, display_type: type, range } = finding;
  if (profileId !== null) {
    return (
      <Link to="/profile/$profileId" params={{ profileId }} hash="ai-analysis" className={linkClass}>
        {issue}
      </Link>
    );
  }
  return (
    <Link
      to="/profiles/service/$serviceName/$type"
      params={{ serviceName: service, type }}
      search={range}
      hash="ai-analysis"
      className={linkClass}
    >
      {issue}
    </Link>
  );
}

function FunctionLink({
  finding,
  found,
}: FindingProps & { readonly found: NonNullable<Finding["function"]> }) {
  const { profile_id: profileId, service, display_type: type, range, sample_type } = finding;
  // `@` is `widestPlace` of a flame graph's link, written out so that the list does not load its code.
  const view = { fn: functionLink(found), zoom: "@", sample_type };
  const rest = {
    title: `${found.name}\nFind it in the flame graph`,
    className: "min-w-0 truncate-start font-mono text-code text-muted hover:text-accent-text hover:underline",
  };
  const name = <bdi>{shortFunctionName(found.name)}</bdi>;
  if (profileId !== null) {
    return (
      <Link to="/profile/$profileId" params={{ profileId }} search={view} {...rest}>
        {name}
      </Link>
    );
  }
  return (
    <Link
      to="/profiles/service/$serviceName/$type"
      params={{ serviceName: service, type }}
      search={{ ...range, ...view }}
      {...rest}
    >
      {name}
    </Link>
  );
}

function ServiceLink({ finding: { service, display_type: type } }: FindingProps) {
  return (
    <Link
      to="/profiles/service/$serviceName/$type"
      params={{ serviceName: service, type }}
      className="block max-w-48 truncate hover:text-accent-text hover:underline"
      title={service}
    >
      {service}
    </Link>
  );
}

interface CostProps extends Pick<FindingsReply, "price"> {
  readonly cost: Finding["cost"];
}

function Cost({ cost, price }: CostProps) {
  if (cost === null) return <span className="text-muted">N/A</span>;
  const money = moneyText(cost.per_month, price);
  return (
    <span className="whitespace-nowrap">
      <Quantity value={costMeasure(cost)} />
      {money !== undefined && (
        <span className="block text-label text-muted max-md:inline max-md:pl-2">{money}</span>
      )}
    </span>
  );
}

function Seen({ finding }: FindingProps) {
  return (
    <>
      first seen <RelativeTime at={finding.first_seen_at} />
      {!finding.is_current && (
        <span className="block">
          last seen <RelativeTime at={finding.last_seen_at} />
        </span>
      )}
    </>
  );
}
