import { Check, Rows3 } from "lucide-react";
import { MenuItem, MenuSeparator } from "#ui/controls/menu.tsx";

interface GroupingProps {
  readonly isByLine: boolean;
  readonly onChange: (isByLine: boolean) => void;
}

/** Whether frames are functions or their lines: an item of a menu. */
export function Grouping({ isByLine, onChange }: GroupingProps) {
  return (
    <>
      <MenuItem onSelect={() => onChange(!isByLine)}>
        <Rows3 />
        <span className="min-w-0 flex-1 truncate">One frame per line</span>
        {isByLine && <Check aria-label="applied" />}
      </MenuItem>
      <MenuSeparator />
    </>
  );
}
