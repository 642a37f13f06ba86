import type { Sender, SenderInstance, SenderKey } from "@flamekeep/contract";
import { limits } from "@flamekeep/contract";
import { useQuery } from "@tanstack/react-query";
import { profileTypeLabel } from "#format/names.ts";
import { exactCount, plural } from "#format/number.ts";
import { clockText, intervalText } from "#profile-list/senders/model.ts";
import { senderInstancesQuery } from "#profile-list/senders/queries.ts";
import { Warning } from "#ui/content/message.tsx";
import { Panel } from "#ui/content/panel.tsx";
import { Skeleton } from "#ui/content/skeleton.tsx";
import { TableHead, tableClass } from "#ui/content/table.tsx";
import { RelativeTime } from "#ui/content/values.tsx";
import { Rejections } from "./rejected-requests.tsx";

interface SenderDetailsProps {
  readonly sender: Sender;
  readonly keys: readonly SenderKey[];
}

/** Faults in the data of a service, and its instances. */
export function SenderDetails({ sender, keys }: SenderDetailsProps) {
  const { service, dropped_tags: dropped, clock_error_seconds: clock } = sender;
  const instances = useQuery(senderInstancesQuery(service));
  const warnings = [droppedText(dropped), clockText(clock)].filter((text) => text !== undefined);
  return (
    <section aria-label={`Instances of ${service}`} className="flex flex-col gap-3 px-4 pb-4 xl:pl-13">
      {warnings.map((text) => (
        <Warning key={text}>{text}</Warning>
      ))}
      {keys
        .filter(({ rejected }) => rejected > 0)
        .map((key) => (
          <div key={key.id}>
            <h3 className="font-medium">Rejected requests of the key {key.name}</h3>
            <Rejections rejections={key.rejections} />
          </div>
        ))}
      <Panel
        query={instances}
        loading={<Skeleton className="h-16" />}
        errorTitle="Failed to load the instances"
      >
        {(found) => <Instances instances={found.instances} />}
      </Panel>
    </section>
  );
}

/** `28 tags of a profile were dropped: it can have 32, without empty values and reserved names. Dropped: team, zone.` */
function droppedText(dropped: Sender["dropped_tags"]): string | undefined {
  if (dropped === null) return undefined;
  const names = dropped.names.length === 0 ? "" : ` Dropped: ${dropped.names.join(", ")}.`;
  const count = plural(dropped.count, "tag of a profile was", "tags of a profile were");
  return `${count} dropped: a profile can have ${limits.profileTagsMax}, without empty values or reserved names.${names}`;
}

function Instances({ instances }: { readonly instances: readonly SenderInstance[] }) {
  return (
    <div className="overflow-x-auto rounded-control border border-line">
      <table className={tableClass}>
        <thead>
          <tr>
            <TableHead>Instance</TableHead>
            <TableHead>Last upload</TableHead>
            <TableHead>Types, last profile and interval</TableHead>
            <TableHead isNumeric>Profiles</TableHead>
          </tr>
        </thead>
        <tbody className="divide-y divide-line border-line border-t">
          {instances.map((instance) => (
            <tr key={instance.name ?? ""} className="align-top">
              <th
                scope="row"
                className="max-w-72 truncate px-3 py-2 pl-4 text-left font-mono text-code font-normal"
              >
                {instance.name ?? <span className="font-sans text-muted">no instance tag</span>}
              </th>
              <td className="px-3 py-2">
                <RelativeTime at={instance.last_received_at} />
              </td>
              <td className="px-3 py-2 text-label">
                <ul className="flex flex-wrap gap-x-4 gap-y-1">
                  {instance.types.map(({ type, last_profile_at, interval_seconds }) => (
                    <li key={type} className="whitespace-nowrap">
                      {profileTypeLabel(type)}{" "}
                      <span className="text-muted">
                        <RelativeTime at={last_profile_at} />
                        {interval_seconds !== null && `, every ${intervalText(interval_seconds)}`}
                      </span>
                    </li>
                  ))}
                </ul>
              </td>
              <td className="px-3 py-2 pr-4 text-right tabular-nums">{exactCount(instance.profiles)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
