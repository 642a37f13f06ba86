import type { ComparisonMeta, SideMeta } from "@flamekeep/flame/compare";
import { Link } from "@tanstack/react-router";
import { Flame } from "lucide-react";
import { profileTypeLabel } from "#format/names.ts";
import { OtherOrganization } from "#layout/other-organization.tsx";
import { searchOfRange } from "#time-range/view-range.ts";
import { Message } from "#ui/content/message.tsx";
import { buttonClass } from "#ui/controls/button.tsx";
import { type SideName, sideNames, spanOfSide } from "./model.ts";

const ordinals = { before: "first", after: "second" } as const;

/** Takes the place of the graph if a side has no profiles: every frame of the other side would be drawn as new or gone. */
export function NothingToCompare({ meta }: { readonly meta: ComparisonMeta }) {
  const empty = sideNames.filter((name) => meta[name].profiles === 0);
  const [name] = empty;
  const type = profileTypeLabel(meta.type);
  if (empty.length !== 1 || name === undefined) {
    const { service } = meta.after;
    return (
      <Message icon={Flame} title="Nothing to compare">
        <p>{`${service} sent no ${type} profile in either range. Choose another range.`}</p>
        <OtherOrganization kind="service" id={service} />
      </Message>
    );
  }
  const { service, profileId } = meta[name];
  const other = meta[otherSide(name)];
  return (
    <Message
      icon={Flame}
      title="Nothing to compare with"
      actions={other.profileId === null && <OpenAlone side={other} type={meta.type} />}
    >
      <p>
        {profileId === null
          ? `${service} sent no ${type} profile in the ${ordinals[name]} range. Choose another range.`
          : `The ${ordinals[name]} profile has no such samples.`}
      </p>
    </Message>
  );
}

function OpenAlone({ side, type }: { readonly side: SideMeta; readonly type: string }) {
  return (
    <Link
      to="/profiles/service/$serviceName/$type"
      params={{ serviceName: side.service, type }}
      search={{
        ...searchOfRange({ kind: "between", ...spanOfSide(side) }),
        ...(Object.keys(side.tags).length > 0 && { tags: side.tags }),
        ...(side.labels !== undefined && { labels: side.labels }),
      }}
      className={buttonClass("secondary")}
    >
      Open the other range alone
    </Link>
  );
}

function otherSide(name: SideName): SideName {
  return name === "before" ? "after" : "before";
}
