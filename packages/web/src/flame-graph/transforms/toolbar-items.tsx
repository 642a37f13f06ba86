import type { FunctionTable } from "@flamekeep/flame";
import { shownName } from "@flamekeep/flame";
import { chainOf, chainText, ownModules, type Transform } from "@flamekeep/flame/transform";
import {
  Check,
  CornerLeftUp,
  EyeOff,
  Filter,
  FilterX,
  FolderTree,
  Package,
  Repeat,
  UserRound,
} from "lucide-react";
import { type ReactNode, useMemo } from "react";
import { MenuItem, MenuSeparator } from "#ui/controls/menu.tsx";
import { toggled } from "./apply.ts";
import { transformLabel } from "./labels.ts";

export interface ToolbarItemsProps {
  readonly functions: FunctionTable;
  readonly text: string;
  readonly search: string;
  readonly onChange: (text: string) => void;
}

const modulesMax = 6;

const switches: readonly {
  readonly transform: Transform;
  readonly icon: ReactNode;
  readonly label?: string;
}[] = [
  { transform: { name: "invert" }, icon: <CornerLeftUp />, label: "Invert (callers below callees)" },
  { transform: { name: "collapse" }, icon: <Repeat /> },
  { transform: { name: "hide-runtime" }, icon: <EyeOff /> },
  { transform: { name: "my-code" }, icon: <UserRound /> },
];

/** Steps for the whole graph. One that is in the chain is removed. */
export function ToolbarItems({ functions, text, search, onChange }: ToolbarItemsProps) {
  const chain = chainOf(text);
  const modules = useMemo(() => ownModules(functions).slice(0, modulesMax), [functions]);
  const item = (transform: Transform, icon: ReactNode, label = transformLabel(transform, true)) => {
    const own = chainText([transform]);
    const isApplied = chain.some((each) => chainText([each]) === own);
    return (
      <MenuItem key={own} onSelect={() => onChange(toggled(text, transform))}>
        {icon}
        <span className="min-w-0 flex-1 truncate">{label}</span>
        {isApplied && <Check aria-label="applied" />}
      </MenuItem>
    );
  };
  const matches = { by: "search", text: search } as const;
  return (
    <>
      {switches.map(({ transform, icon, label }) => item(transform, icon, label))}
      {modules.length > 1 && (
        <>
          <MenuSeparator />
          {modules.map((module) =>
            item(
              { name: "show", target: { by: "module", text: module } },
              <FolderTree />,
              `Only module ${shownName(module)}`,
            ),
          )}
        </>
      )}
      {search !== "" && (
        <>
          <MenuSeparator />
          {item({ name: "focus", target: matches }, <Filter />, "Show only stacks with a match")}
          {item({ name: "ignore", target: matches }, <FilterX />, "Exclude stacks with a match")}
          {item({ name: "hide", target: matches }, <EyeOff />, "Hide matches")}
          {item({ name: "show", target: matches }, <Package />, "Only matches")}
        </>
      )}
    </>
  );
}
