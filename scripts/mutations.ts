import { parseAst } from "vitest/node";

/** A change of the text that should fail a test. */
export interface Mutation {
  readonly start: number;
  readonly end: number;
  readonly replacement: string;
}

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
}

const operators: Readonly<Record<string, string>> = {
  "<": "<=",
  "<=": "<",
  ">": ">=",
  ">=": ">",
  "===": "!==",
  "!==": "===",
  "-": "+",
  "*": "/",
  "&&": "||",
  "||": "&&",
  "+=": "-=",
  "-=": "+=",
};

/** In SQL, which is text for the parser. */
const inSql: readonly (readonly [RegExp, string])[] = [
  [/ >= /g, " > "],
  [/ <= /g, " < "],
  [/ < /g, " <= "],
  [/ > /g, " >= "],
  [/ AND /g, " OR "],
  [/ DESC\b/g, " ASC"],
  [/ = FULL\b/g, " = NORMAL"],
];
const isSql = /\b(SELECT|INSERT|UPDATE|DELETE|WHERE|PRAGMA|CREATE)\b/;

/** Links of a chain that choose among rows or elements: with one gone, there are too many. */
const choosing = new Set(["where", "whereRef", "filter"]);

/** Statements whose loss no test has to notice: log lines, and what only ends a program cleanly. */
const unobserved = /^(await )?(\w+\.)*(log|console|process\.stdout)\b/;

/** Every mutation of a source, in the order of the text. Types and log lines have none. */
export function mutationsOf(path: string, text: string): Mutation[] {
  const found: Mutation[] = [];
  visit(parseAst(text, { lang: path.endsWith("x") ? "tsx" : "ts" }));
  return found.toSorted((a, b) => a.start - b.start);

  function visit(value: unknown): void {
    if (Array.isArray(value)) for (const each of value) visit(each);
    if (typeof value !== "object" || value === null || !("type" in value)) return;
    const node = value as Node & Readonly<Record<string, unknown>>;
    if (/^TS|^Import|^ExportAll/.test(node.type) && !/^TS(As|NonNull|Satisfies)/.test(node.type)) return;
    if (node.type === "ExpressionStatement" && unobserved.test(text.slice(node.start, node.end))) return;
    found.push(...mutationsOfNode(node, text));
    for (const inner of Object.values(node)) visit(inner);
  }
}

function mutationsOfNode(node: Node & Readonly<Record<string, unknown>>, text: string): Mutation[] {
  const { type, start, end } = node;
  const source = text.slice(start, end);
  const replace = (part: Node, replacement: string) => ({ start: part.start, end: part.end, replacement });
  const child = (name: string) => node[name] as Node;
  const sourceOf = (part: Node) => text.slice(part.start, part.end);
  switch (type) {
    case "BinaryExpression":
    case "LogicalExpression":
    case "AssignmentExpression":
      return changedOperator(node, text);
    case "IfStatement":
      return [replace(child("test"), "true"), replace(child("test"), "false")];
    case "ConditionalExpression":
      return [replace(child("test"), `!(${sourceOf(child("test"))})`)];
    case "UnaryExpression":
      return node["operator"] === "!" ? [replace(node, sourceOf(child("argument")))] : [];
    case "CallExpression":
      return changedChain(node["callee"] as Node & Readonly<Record<string, unknown>>, end);
    case "ExpressionStatement":
      return source.startsWith('"') ? [] : [replace(node, ";")];
    case "Literal":
      if (typeof node["value"] === "boolean") return [replace(node, String(!node["value"]))];
      if (typeof node["value"] === "number") return [replace(node, String(node["value"] + 1))];
      return typeof node["value"] === "string" ? changedSql(start, source) : [];
    case "TemplateLiteral":
      return changedSql(start, source);
    default:
      return [];
  }
}

function changedOperator(node: Readonly<Record<string, unknown>>, text: string): Mutation[] {
  const operator = String(node["operator"]);
  const replacement = operators[operator];
  if (replacement === undefined) return [];
  // Parentheses and comments can separate the operands, but no other operator.
  const from = (node["left"] as Node).end;
  const at = text.indexOf(operator, from);
  return [{ start: at, end: at + operator.length, replacement }];
}

function changedChain(callee: Node & Readonly<Record<string, unknown>>, end: number): Mutation[] {
  if (callee.type !== "MemberExpression") return [];
  const [object, property] = [callee["object"] as Node, callee["property"] as { readonly name?: string }];
  return choosing.has(property.name ?? "") ? [{ start: object.end, end, replacement: "" }] : [];
}

function changedSql(start: number, source: string): Mutation[] {
  if (!isSql.test(source)) return [];
  return inSql.flatMap(([pattern, replacement]) =>
    [...source.matchAll(pattern)].map((match) => ({
      start: start + match.index,
      end: start + match.index + match[0].length,
      replacement,
    })),
  );
}
