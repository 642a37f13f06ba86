import { type Components, type JsonSchema, resolved } from "#http/documentation/json-schema.ts";

const depthMax = 6;

/** A value of the schema's form, from its examples where it has some: to be read, not to be checked. */
export function exampleOf(given: JsonSchema, components: Components, depth = 0): unknown {
  const schema = resolved(given, components);
  const known = given.example ?? schema.example ?? schema.const ?? schema.enum?.[0] ?? schema.default;
  if (known !== undefined) return known;
  if (schema.anyOf !== undefined) return exampleOf(schema.anyOf[0] ?? {}, components, depth + 1);
  const type = typeof schema.type === "string" ? schema.type : schema.type?.at(-1);
  if (type === "array") {
    return depth >= depthMax ? [] : [exampleOf(schema.items ?? {}, components, depth + 1)];
  }
  return type === "object" ? exampleObject(schema, components, depth) : exampleScalar(schema, type);
}

function exampleObject(schema: JsonSchema, components: Components, depth: number): unknown {
  const fields = Object.entries(schema.properties ?? {});
  return Object.fromEntries(
    fields.map(([name, field]) => [
      name,
      // A tree refers to itself: one level of it is enough to see the form.
      field.type === "array" && field.items?.$ref !== undefined && depth > 1
        ? []
        : exampleOf(field, components, depth + 1),
    ]),
  );
}

function exampleScalar(schema: JsonSchema, type: string | undefined): unknown {
  if (type === "integer" || type === "number") return Math.max(schema.minimum ?? 0, 0);
  if (type === "boolean") return false;
  if (type === "null") return null;
  return schema.format === "uuid" ? "0f7c3b52-6c1e-4c59-9f0e-3a8d5b1c7e21" : "text";
}
