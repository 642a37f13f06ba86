import type { Sender, SenderKey } from "@flamekeep/contract";
import { Link } from "@tanstack/react-router";
import { type ReactNode, useId, useState } from "react";
import { profileTypeLabel } from "#format/names.ts";
import { exactCount, plural } from "#format/number.ts";
import { dateText } from "#format/time.ts";
import { intervalText } from "#profile-list/senders/model.ts";
import { ReceivedStrip, SenderBadge } from "#profile-list/senders/sender-mark.tsx";
import { Badge } from "#ui/content/badge.tsx";
import { ProfileTypeBadge } from "#ui/content/profile-type-badge.tsx";
import { RelativeTime } from "#ui/content/values.tsx";
import { ExpandButton } from "#ui/controls/expand-button.tsx";
import { cx } from "#ui/cx.ts";
import { SenderDetails } from "./sender-details.tsx";

const columnsClass =
  "grid grid-cols-[auto_minmax(0,1fr)] items-center gap-x-3 gap-y-2 px-4 xl:grid-cols-[1.5rem_minmax(7rem,1fr)_9.5rem_minmax(7rem,1fr)_4.5rem_minmax(9rem,2fr)_4.5rem_minmax(9rem,1fr)]";

/** The names of the columns; narrow screens have them in each row. */
export function SenderHead() {
  return (
    <div
      aria-hidden
      className={cx(columnsClass, "h-9 border-line border-b font-medium text-label text-muted max-xl:hidden")}
    >
      <span />
      <span>Service</span>
      <span>State</span>
      <span>Last 24 hours</span>
      <span className="text-right">Interval</span>
      <span>Types</span>
      <span className="text-right">Instances</span>
      <span>Key</span>
    </div>
  );
}

interface SenderRowProps {
  readonly sender: Sender;
  /** The keys that sent its profiles. */
  readonly keys: readonly SenderKey[];
  readonly rejectedSince: string;
  readonly isOpenAtFirst: boolean;
}

export function SenderRow({ sender, keys, rejectedSince, isOpenAtFirst }: SenderRowProps) {
  const [isOpen, setIsOpen] = useState(isOpenAtFirst);
  const detailsId = useId();
  const { service, received, interval_seconds, types, instances } = sender;
  return (
    <li>
      <div className={cx(columnsClass, "py-2.5")}>
        <ExpandButton
          content={`the instances of ${service}`}
          contentId={detailsId}
          isOpen={isOpen}
          onToggle={() => setIsOpen(!isOpen)}
        />
        <Link
          to="/profiles/service/$serviceName"
          params={{ serviceName: service }}
          title={service}
          className="truncate font-medium hover:underline"
        >
          {service}
        </Link>
        <span className="min-w-0 max-xl:col-start-2">
          <SenderBadge sender={sender} />
        </span>
        <span className="max-xl:col-start-2">
          <ReceivedStrip received={received} />
        </span>
        <dl className="flex flex-wrap gap-x-4 gap-y-1 text-label max-xl:col-start-2 xl:contents">
          <Cell label="Interval" isNumeric>
            {intervalText(interval_seconds)}
          </Cell>
          <Cell label="Types">
            <span className="flex flex-wrap gap-1">
              {types.map((each) => (
                <TypeBadge key={each.type} type={each} isMarked={sender.state === "stopped_types"} />
              ))}
            </span>
          </Cell>
          <Cell label="Instances" isNumeric>
            {instances === 0 ? "–" : exactCount(instances)}
          </Cell>
          <Cell label="Key">
            <KeyNames keys={keys} rejectedSince={rejectedSince} />
          </Cell>
        </dl>
      </div>
      <div id={detailsId}>{isOpen && <SenderDetails sender={sender} keys={keys} />}</div>
    </li>
  );
}

interface CellProps {
  readonly label: string;
  readonly isNumeric?: boolean;
  readonly children: ReactNode;
}

function Cell({ label, isNumeric = false, children }: CellProps) {
  return (
    <div className={cx("flex min-w-0 gap-1.5", isNumeric && "tabular-nums xl:justify-end")}>
      <dt className="text-muted xl:sr-only">{label}</dt>
      <dd className="min-w-0">{children}</dd>
    </div>
  );
}

interface TypeBadgeProps {
  readonly type: Sender["types"][number];
  /** Whether types that stopped say so: of a silent service, all did. */
  readonly isMarked: boolean;
}

function TypeBadge({ type: { type, state, last_profile_at }, isMarked }: TypeBadgeProps) {
  if (state !== "silent" || !isMarked) return <ProfileTypeBadge type={type} />;
  return (
    <Badge tone="warning">
      {profileTypeLabel(type)} stopped <RelativeTime at={last_profile_at} />
    </Badge>
  );
}

/** Rejected requests are those of the key, whichever service sent them: they are no problem of the row. */
function KeyNames({ keys, rejectedSince }: Pick<SenderRowProps, "keys" | "rejectedSince">) {
  const [first] = keys;
  if (first === undefined) return <span className="text-muted">–</span>;
  const names = keys.map(({ name }) => name).join(", ");
  const rejected = keys.reduce((sum, key) => sum + key.rejected, 0);
  const details = `${plural(rejected, "rejected request")} of all services since ${dateText(rejectedSince)}`;
  return (
    <span className="block truncate" title={`${names}\n${details}`}>
      {first.name}
      {keys.length > 1 && <span className="text-muted"> and {keys.length - 1} more</span>}
      {!first.is_active && <span className="text-muted"> (inactive)</span>}
      {rejected > 0 && <span className="text-muted"> · {exactCount(rejected)} rejected</span>}
    </span>
  );
}
