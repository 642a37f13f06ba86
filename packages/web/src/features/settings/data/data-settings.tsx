import { Retention } from "./retention.tsx";
import { Services } from "./services.tsx";

export function DataSettings() {
  return (
    <div className="flex flex-col gap-4">
      <Retention />
      <Services />
    </div>
  );
}
