import { Digest } from "#settings/digest/digest.tsx";
import { Mutes } from "#settings/mutes/mutes.tsx";
import { Rules } from "#settings/rules/rules.tsx";
import { Delivery } from "./delivery.tsx";

export function AlertSettings() {
  return (
    <div className="flex flex-col gap-4">
      <Delivery />
      <Digest />
      <Rules />
      <Mutes />
    </div>
  );
}
