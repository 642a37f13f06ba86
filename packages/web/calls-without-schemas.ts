import type { ESTree, Plugin } from "vite";

type Properties = ESTree.ObjectExpression["properties"];

interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** The part of a call that the browser uses in production, which trusts the server and does not check replies. */
const neededNames = ["method", "path", "auth"];
const contractModules = /\/packages\/contract\/src\/[^/]+\.ts$/;

/**
 * Shortens the calls of the contract to what the browser sends, and marks all other calculated constants of the contract as
 * free of side effects, which the contract is. So the build leaves out unused schemas with their texts, and zod with them.
 */
export function callsWithoutSchemas(): Plugin {
  return {
    name: "calls-without-schemas",
    apply: "build",
    transform: {
      filter: { id: contractModules },
      handler(code, id) {
        const constants = topLevelConstants(this.parse(code).body);
        const edits = [...constants].flatMap(([name, value]) => {
          const text = code.slice(value.start, value.end);
          if (isEndpoint(value))
            return { ...rangeOf(value), text: shortened(name, value, constants, code, id) };
          return text.includes("(") ? { ...rangeOf(value), text: `/* @__PURE__ */ (() => (${text}))()` } : [];
        });
        return { code: withEdits(code, edits), map: null };
      },
    },
  };
}

function topLevelConstants(body: readonly ESTree.Node[]): Map<string, ESTree.Expression> {
  const found = new Map<string, ESTree.Expression>();
  for (const statement of body) {
    const declaration = statement.type === "ExportNamedDeclaration" ? statement.declaration : statement;
    if (declaration?.type !== "VariableDeclaration") continue;
    for (const { id, init } of declaration.declarations) {
      if (id.type === "Identifier" && init && init.type !== "ArrowFunctionExpression")
        found.set(id.name, init);
    }
  }
  return found;
}

function isEndpoint(value: ESTree.Expression): value is ESTree.CallExpression {
  return (
    value.type === "CallExpression" && value.callee.type === "Identifier" && value.callee.name === "endpoint"
  );
}

function shortened(
  name: string,
  { arguments: [definition] }: ESTree.CallExpression,
  constants: ReadonlyMap<string, ESTree.Expression>,
  code: string,
  id: string,
): string {
  const needed = new Map<string, string>();
  const collect = (properties: Properties) => {
    for (const property of properties) {
      if (property.type === "SpreadElement") {
        const spread = property.argument.type === "Identifier" && constants.get(property.argument.name);
        if (spread && spread.type === "ObjectExpression") collect(spread.properties);
      } else if (property.key.type === "Identifier" && neededNames.includes(property.key.name)) {
        needed.set(property.key.name, code.slice(property.start, property.end));
      }
    }
  };
  if (definition?.type === "ObjectExpression") collect(definition.properties);
  if (needed.size < neededNames.length) throw new Error(`${id}: ${name} has no ${neededNames.join(", ")}`);
  return `{ ${[...needed.values()].join(", ")} }`;
}

function rangeOf({ start, end }: ESTree.Expression): { readonly start: number; readonly end: number } {
  return { start, end };
}

/** The code with its parts replaced, last first. */
function withEdits(code: string, edits: readonly Edit[]): string {
  return edits.reduceRight(
    (text, { start, end, text: replacement }) => text.slice(0, start) + replacement + text.slice(end),
    code,
  );
}
