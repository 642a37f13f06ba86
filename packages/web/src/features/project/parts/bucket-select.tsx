import { type BucketChoice, bucketChoices } from "#preferences/time-bucket.ts";
import { Select } from "#ui/controls/select.tsx";
import type { ProjectTime } from "./project-time.ts";

/** The width of a point of the charts of a page. */
export function BucketSelect({ time }: { readonly time: ProjectTime }) {
  const options = bucketChoices.map((value) => ({ value, label: bucketLabel(value, time) }));
  return (
    <Select
      label="Interval"
      value={time.bucketChoice}
      options={options}
      onChange={time.chooseBucket}
      className="w-36"
    />
  );
}

function bucketLabel(choice: BucketChoice, { bucket, bucketChoice }: ProjectTime): string {
  if (choice !== "auto") return `${choice} points`;
  return bucketChoice === "auto" ? `Auto (${bucket})` : "Auto";
}
