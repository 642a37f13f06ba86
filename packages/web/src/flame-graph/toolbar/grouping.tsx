import type { FrameGrouping } from "@flamekeep/contract";
import { Braces, Check, Rows3 } from "lucide-react";
import { MenuItem, MenuSeparator } from "#ui/controls/menu.tsx";

interface GroupingProps {
  readonly grouping: FrameGrouping;
  readonly onChange: (grouping: FrameGrouping) => void;
}

const items = [
  { name: "line", label: "One frame per line", Icon: Rows3 },
  { name: "instantiation", label: "By instantiation of generics", Icon: Braces },
] as const;

/** Whether frames are functions, their lines, or the copies of generic ones: items of a menu. */
export function Grouping({ grouping, onChange }: GroupingProps) {
  return (
    <>
      {items.map(({ name, label, Icon }) => (
        <MenuItem key={name} onSelect={() => onChange(grouping === name ? "function" : name)}>
          <Icon />
          <span className="min-w-0 flex-1 truncate">{label}</span>
          {grouping === name && <Check aria-label="applied" />}
        </MenuItem>
      ))}
      <MenuSeparator />
    </>
  );
}
