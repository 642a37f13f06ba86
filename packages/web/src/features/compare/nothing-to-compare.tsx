import type { ComparisonMeta, SideMeta } from "@flamekeep/flame/compare";
import { Link } from "@tanstack/react-router";
import { Flame } from "lucide-react";
import { emptySides, type SideName, spanOfSide } from "#comparison/model.ts";
import type { CompareSearch } from "#comparison/search.ts";
import { profileTypeLabel } from "#format/names.ts";
import { OtherOrganization } from "#layout/other-organization.tsx";
import { searchOfRange } from "#time-range/view-range.ts";
import { Message } from "#ui/content/message.tsx";
import { buttonClass } from "#ui/controls/button.tsx";

interface NothingToCompareProps {
  readonly meta: ComparisonMeta;
  readonly search: CompareSearch;
}

/** Takes the place of the graph if a side has nothing: every frame of the other side would be drawn as new or gone. */
export function NothingToCompare({ meta, search }: NothingToCompareProps) {
  // Wall time is stored as a custom profile.
  const type = search.type ?? meta.type;
  const empty = emptySides(meta);
  const other = empty.length === 1 ? meta[empty[0] === "before" ? "after" : "before"] : undefined;
  return (
    <Message
      icon={Flame}
      title={other === undefined ? "Nothing to compare" : "Nothing to compare with"}
      actions={other?.profileId === null && <OpenAlone side={other} type={type} search={search} />}
    >
      {empty.map((name) => (
        <p key={name}>{whyEmpty(name, meta[name], profileTypeLabel(type))}</p>
      ))}
      {empty.length === 0 && <p>The profiles of both sides have no samples.</p>}
      {empty.length === 2 && <OtherOrganization kind="service" id={meta.after.service} />}
    </Message>
  );
}

function whyEmpty(name: SideName, { service, profileId, labels }: SideMeta, type: string): string {
  const what = profileId === null ? "range" : "profile";
  if (labels !== undefined) return `No sample of the ${what} ${name} has these labels. Choose others.`;
  return `${service} sent no ${type} profile in the range ${name}. Choose another range.`;
}

interface OpenAloneProps {
  readonly side: SideMeta;
  readonly type: string;
  readonly search: CompareSearch;
}

function OpenAlone({ side, type, search }: OpenAloneProps) {
  return (
    <Link
      to="/profiles/service/$serviceName/$type"
      params={{ serviceName: side.service, type }}
      search={{
        ...searchOfRange({ kind: "between", ...spanOfSide(side) }),
        sample_type: search.sample_type,
        ...(Object.keys(side.tags).length > 0 && { tags: side.tags }),
        ...(side.labels !== undefined && { labels: side.labels }),
      }}
      className={buttonClass("secondary")}
    >
      Open the other range alone
    </Link>
  );
}
