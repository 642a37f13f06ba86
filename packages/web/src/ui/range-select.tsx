import { type TimeRange, timeRanges } from "@flamekeep/contract";
import { rangeLabel } from "#format/time.ts";
import { Select } from "./select.tsx";

const options = timeRanges.map((value) => ({ value, label: rangeLabel(value) }));

interface RangeSelectProps {
  readonly value: TimeRange;
  readonly onChange: (range: TimeRange) => void;
}

export function RangeSelect({ value, onChange }: RangeSelectProps) {
  return <Select label="Time range" value={value} options={options} onChange={onChange} className="w-40" />;
}
