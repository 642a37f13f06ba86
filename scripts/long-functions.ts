import { parseAst } from "vitest/node";

type Language = "ts" | "tsx";

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
}

const functionTypes = /^(FunctionDeclaration|FunctionExpression|ArrowFunctionExpression)$/;

/** Names of the functions with more lines than that, blank ones not counted. The lint rule of the same kind does not count JSX. */
export function longFunctions(path: string, text: string, linesMax: number): string[] {
  const lang: Language = path.endsWith("x") ? "tsx" : "ts";
  const found: string[] = [];
  visit(parseAst(text, { lang }), "(no name)");
  return found;

  function visit(value: unknown, outerName: string): void {
    if (Array.isArray(value)) for (const each of value) visit(each, outerName);
    if (typeof value !== "object" || value === null || !("type" in value)) return;
    const name = nameOf(value) ?? outerName;
    const { type, start, end } = value as Node;
    const lines = text.slice(start, end).split("\n");
    if (functionTypes.test(type) && lines.filter((line) => line.trim() !== "").length > linesMax)
      found.push(name);
    for (const inner of Object.values(value)) visit(inner, name);
  }
}

/** The name of a function, or of the variable, property or method that holds it. */
function nameOf(node: object): string | undefined {
  for (const side of ["id", "key"]) {
    const identifier: unknown = Reflect.get(node, side);
    if (typeof identifier === "object" && identifier !== null && "name" in identifier)
      return String(identifier.name);
  }
  return undefined;
}
