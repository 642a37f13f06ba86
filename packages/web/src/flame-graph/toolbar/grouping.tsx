import { Select } from "#ui/controls/select.tsx";

const groupings = [
  { value: "function", label: "By function" },
  { value: "line", label: "By line" },
] as const;

interface GroupingProps {
  readonly isByLine: boolean;
  readonly onChange: (isByLine: boolean) => void;
}

/** Whether frames are functions or their lines. */
export function Grouping({ isByLine, onChange }: GroupingProps) {
  return (
    <Select
      label="Frames"
      size="sm"
      value={isByLine ? "line" : "function"}
      options={groupings}
      onChange={(to) => onChange(to === "line")}
    />
  );
}
