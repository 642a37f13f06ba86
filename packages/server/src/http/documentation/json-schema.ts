import { z } from "zod";

/** The keywords of JSON Schema 2020-12 that zod prints and the documentation reads. */
export interface JsonSchema {
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly example?: unknown;
  readonly default?: unknown;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly format?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly items?: JsonSchema;
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly additionalProperties?: JsonSchema | boolean;
  readonly $ref?: string;
}

export type Components = Record<string, JsonSchema>;

/** Converts a schema. Schemas with an id go into `components` and are replaced by a reference. */
export function toJsonSchema(schema: z.ZodType, io: "input" | "output", components: Components): JsonSchema {
  const printed = z.toJSONSchema(schema, { io, unrepresentable: "any", reused: "inline" });
  const moved = JSON.parse(JSON.stringify(printed).replaceAll('"#/$defs/', '"#/components/schemas/')) as {
    $schema?: string;
    $defs?: Record<string, JsonSchema>;
    id?: string;
  } & JsonSchema;
  const { $schema: _, $defs, id, ...rest } = moved;
  for (const [name, definition] of Object.entries($defs ?? {})) components[name] ??= withoutId(definition);
  if (id === undefined) return rest;
  components[id] ??= rest;
  return { $ref: `#/components/schemas/${id}` };
}

/** Follows a reference into `components`; returns any other schema unchanged. */
export function resolved(schema: JsonSchema, components: Components): JsonSchema {
  const name = schema.$ref?.slice("#/components/schemas/".length);
  return (name === undefined ? undefined : components[name]) ?? schema;
}

function withoutId(definition: JsonSchema & { id?: string }): JsonSchema {
  const { id: _, ...rest } = definition;
  return rest;
}

/** An example value of the schema, from the examples, constants and defaults of its parts. Throws if a part has none. */
export function exampleOf(given: JsonSchema, components: Components): unknown {
  const schema = resolved(given, components);
  const candidates = [given.example, schema.example, schema.const, schema.enum?.[0], schema.default];
  const first = candidates.find((value) => value !== undefined);
  if (first !== undefined) return first;
  const [alternative] = schema.anyOf ?? schema.oneOf ?? [];
  if (alternative !== undefined) return exampleOf(alternative, components);
  if (schema.items !== undefined) return [exampleOf(schema.items, components)];
  if (schema.type !== "object") throw new Error(`${JSON.stringify(schema)} has no example`);
  const fields = Object.entries(schema.properties ?? {});
  return Object.fromEntries(fields.map(([name, field]) => [name, exampleOf(field, components)]));
}
