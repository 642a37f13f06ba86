const anonymous = "(anonymous namespace)";

/** Whether a function's name was made shorter than the one that the compiler gave it. */
export function isShortened(name: string, systemName: string): boolean {
  return name !== "" && name !== systemName;
}

/**
 * The name that `drop_frames` and `keep_frames` match, as Go's pprof does: C++ names without their parameters,
 * those not shortened yet (`isWhole`) without template arguments too, and without the leading dot of PowerPC names.
 */
export function matchedName(name: string, isWhole: boolean): string {
  return withoutParameters(isWhole ? shortened(name) : name);
}

/** From simplifyFunc in profile/prune.go. Parentheses of `operator()` and unnamed namespaces belong to the name. */
function withoutParameters(written: string): string {
  const name = written.startsWith(".") ? written.slice(1) : written;
  let at = name.indexOf("(");
  while (at !== -1) {
    if (name.startsWith(anonymous, at)) at += anonymous.length;
    else if (name.endsWith("operator", at) && name[at + 1] === ")") at += 2;
    else return name.slice(0, at);
    at = name.indexOf("(", at);
  }
  return name;
}

/** From looksLikeDemangledCPlusPlus in internal/symbolizer: names of Java and Go have these characters elsewhere. */
function shortened(name: string): string {
  if (name.includes(".<") || name.includes("]).")) return name;
  if (!/[<>[\]]|::/.test(name)) return name;
  return withoutPairs(withoutPairs(name, "(", ")"), "<", ">");
}

/** Removes text between the outermost pairs, up to an unmatched closing one. */
function withoutPairs(name: string, open: string, close: string): string {
  let kept = "";
  let from = 0;
  let first = 0;
  let nesting = 0;
  for (let at = 0; at < name.length; at++) {
    if (name[at] === open && nesting++ === 0) first = at;
    if (name[at] !== close) continue;
    if (nesting === 0) break;
    if (--nesting > 0) continue;
    kept += name.slice(from, first);
    from = at + 1;
  }
  return kept + name.slice(from);
}
