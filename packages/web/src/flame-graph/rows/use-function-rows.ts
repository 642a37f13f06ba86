import type { CallTree, SearchResult } from "@flamekeep/flame";
import { useMemo, useState } from "react";

interface FunctionRowsParts {
  readonly tree: CallTree;
  readonly sorted: Uint32Array;
  readonly search: SearchResult | null;
  readonly selectedFn: number;
}

/** The sorted functions that search and package leave, and the row that the keys are at: at first, the selected function's. */
export function useFunctionRows({ tree, sorted, search, selectedFn }: FunctionRowsParts) {
  const [packageName, setPackageName] = useState("");
  const functions = useMemo(() => {
    const { functions: table } = tree;
    if (search === null && packageName === "") return sorted;
    return sorted.filter(
      (fn) =>
        (search === null || search.matches[fn] === 1) &&
        (packageName === "" || table.packageName[fn] === packageName),
    );
  }, [tree, sorted, search, packageName]);
  const [atFn, setAtFn] = useState(selectedFn);
  const [lastSelected, setLastSelected] = useState(selectedFn);
  if (lastSelected !== selectedFn) {
    setLastSelected(selectedFn);
    setAtFn(selectedFn);
  }
  const cursor = useMemo(() => functions.indexOf(atFn), [functions, atFn]);
  return {
    functions,
    packageName,
    setPackageName,
    cursor,
    setCursor: (row: number) => setAtFn(functions[row] ?? -1),
  };
}
