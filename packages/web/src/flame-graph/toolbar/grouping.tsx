import type { FrameGrouping } from "@flamekeep/contract";
import { Braces, Check, Rows3 } from "lucide-react";
import { MenuItem } from "#ui/controls/menu.tsx";

interface GroupingProps<G extends FrameGrouping> {
  readonly grouping: G;
  /** The groupings to offer; by default all. */
  readonly options?: readonly NoInfer<G>[];
  readonly onChange: (grouping: NoInfer<G> | "function") => void;
}

const items = [
  { name: "line", label: "One frame per line", Icon: Rows3 },
  { name: "instantiation", label: "By instantiation of generics", Icon: Braces },
] as const;

/** Whether frames are functions, their lines, or the copies of generic ones: items of a menu. */
export function Grouping<G extends FrameGrouping>({ grouping, options, onChange }: GroupingProps<G>) {
  const offered = items.filter(({ name }) => options?.some((option) => option === name) ?? true);
  return offered.map(({ name, label, Icon }) => (
    <MenuItem key={name} onSelect={() => onChange(grouping === name ? "function" : (name as G))}>
      <Icon />
      <span className="min-w-0 flex-1 truncate">{label}</span>
      {grouping === name && <Check aria-label="applied" />}
    </MenuItem>
  ));
}
