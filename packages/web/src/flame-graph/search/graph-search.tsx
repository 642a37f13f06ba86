import { type CallTree, type FlameAction, type FlameView, functionRef } from "@flamekeep/flame";
import { useHasAllFrames } from "#flame-graph/decode/all-frames.ts";
import { SearchBox, type SearchBoxProps } from "./search-box.tsx";

interface GraphSearchProps
  extends Pick<SearchBoxProps, "result" | "shareOf" | "hasTwoShares" | "inputRef" | "onStep"> {
  readonly tree: CallTree;
  readonly view: FlameView;
  readonly change: (action: FlameAction) => void;
}

/** The search box of a graph: what is typed or chosen changes the view. */
export function GraphSearch({ tree, view, change, result, ...box }: GraphSearchProps) {
  const hasAllFrames = useHasAllFrames();
  return (
    <SearchBox
      {...box}
      result={hasAllFrames ? result : null}
      tree={tree}
      text={view.search}
      onSearch={(text) => change({ do: "search", text })}
      onSelect={(fn, text) =>
        change({ do: "select function", name: functionRef(tree.functions, fn), search: text })
      }
    />
  );
}
