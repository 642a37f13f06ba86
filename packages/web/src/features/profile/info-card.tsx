import type { Profile } from "@flamekeep/contract";
import { TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { bytesMeasure } from "#format/measure.ts";
import { exactCount } from "#format/number.ts";
import { Card, CardHeader } from "#ui/content/card.tsx";
import { ProfileTypeBadge } from "#ui/content/profile-type-badge.tsx";
import { ExactTime, Quantity } from "#ui/content/values.tsx";
import { CopyButton } from "#ui/controls/copy-button.tsx";
import { omissionsOf } from "./model.ts";
import { Tags } from "./tags.tsx";

export function InfoCard({ profile }: { readonly profile: Profile }) {
  const omissions = omissionsOf(profile.trimmed);
  return (
    <Card>
      <CardHeader title="Profile" />
      <dl className="flex flex-col gap-2.5 px-4 pb-4">
        <Row label="Service">{profile.service}</Row>
        <Row label="Type">
          <ProfileTypeBadge type={profile.display_type} />
        </Row>
        <Row label="Timestamp">
          <ExactTime at={profile.timestamp} />
        </Row>
        <Row label="Id">
          <span className="flex min-w-0 items-center">
            <span className="min-w-0 truncate font-mono text-code" title={profile.profile_id}>
              {profile.profile_id}
            </span>
            <CopyButton text={profile.profile_id} label="Copy the profile id" />
          </span>
        </Row>
        <Row label="Stacks">{exactCount(profile.stack_count)}</Row>
        <Row label="Size">
          <Quantity value={bytesMeasure(profile.size_bytes)} />
        </Row>
        <Row label="Tags">
          <Tags tags={profile.tags} />
        </Row>
      </dl>
      {profile.notice !== undefined && <p className="px-4 pb-4 text-label text-muted">{profile.notice}</p>}
      {omissions.length > 0 && (
        <p className="mx-4 mb-4 flex gap-2 rounded-control bg-warning/12 px-3 py-2 text-warning-text">
          <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0" strokeWidth={1.75} />
          <span className="flex flex-col gap-1">
            {omissions.map((text) => (
              <span key={text}>{text}</span>
            ))}
          </span>
        </p>
      )}
    </Card>
  );
}

function Row({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <div className="grid min-h-5 grid-cols-[5.25rem_minmax(0,1fr)] items-baseline gap-2">
      <dt className="text-label text-muted">{label}</dt>
      <dd className="min-w-0 break-words">{children}</dd>
    </div>
  );
}
