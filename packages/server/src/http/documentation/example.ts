import { type Components, type JsonSchema, resolved } from "#http/documentation/json-schema.ts";

/** A value of the schema's form, made of the examples, constants and defaults of its parts. Throws where one has none. */
export function exampleOf(given: JsonSchema, components: Components): unknown {
  const schema = resolved(given, components);
  const known = [given.example, schema.example, schema.const, schema.enum?.[0], schema.default];
  const first = known.find((value) => value !== undefined);
  if (first !== undefined) return first;
  if (schema.anyOf?.[0] !== undefined) return exampleOf(schema.anyOf[0], components);
  if (schema.items !== undefined) return [exampleOf(schema.items, components)];
  if (schema.type !== "object") throw new Error(`${JSON.stringify(schema)} has no example`);
  const fields = Object.entries(schema.properties ?? {});
  return Object.fromEntries(fields.map(([name, field]) => [name, exampleOf(field, components)]));
}
