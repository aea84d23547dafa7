import { isMap, type Path } from "../document/path";

/** The parts of JSON Schema that the server's schemas use. */
export interface Schema {
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly default?: unknown;
  readonly deprecated?: boolean;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema | boolean>>;
  readonly additionalProperties?: Schema | boolean;
  readonly items?: Schema;
  readonly allOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly then?: Schema;
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, Schema>>;
}

/** Returns all schemas that apply to a path. Conditions are not evaluated: the result contains the schemas of all branches. */
export function schemasAt(root: Schema, path: Path): readonly Schema[] {
  return path.reduce<readonly Schema[]>(
    (all, step) => all.flatMap((schema) => inner(schema, step)).flatMap((schema) => whole(root, schema)),
    whole(root, root),
  );
}

function whole(root: Schema, schema: Schema): readonly Schema[] {
  const named = schema.$ref?.match(/^#\/\$defs\/(\w+)$/)?.[1];
  const target = named ? root.$defs?.[named] : undefined;
  const parts = [...(schema.allOf ?? []), ...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.then ? [schema.then] : []), ...(target ? [target] : [])];
  return [schema, ...parts.flatMap((part) => whole(root, part))];
}

function inner(schema: Schema, step: string | number): readonly Schema[] {
  if (typeof step === "number") {
    return schema.items ? [schema.items] : [];
  }
  const own = schema.properties?.[step];
  if (own !== undefined) {
    return isMap(own) ? [own] : [];
  }
  return isMap(schema.additionalProperties) ? [schema.additionalProperties] : [];
}

export interface Suggestion {
  readonly name: string;
  readonly schema: Schema;
  readonly required: boolean;
}

/** Returns the fields that are allowed at a path, required ones first. */
export function fieldsAt(root: Schema, path: Path): readonly Suggestion[] {
  const offers = new Map<string, Suggestion>();
  for (const schema of schemasAt(root, path)) {
    for (const [name, one] of Object.entries(schema.properties ?? {})) {
      const old = offers.get(name);
      const required = (schema.required?.includes(name) ?? false) || (old?.required ?? false);
      offers.set(name, { name, schema: isMap(one) ? one : (old?.schema ?? {}), required });
    }
  }
  return [...offers.values()].sort((a, b) => Number(b.required) - Number(a.required));
}

/** Returns the known values for a path. */
export function valuesAt(root: Schema, path: Path): readonly unknown[] {
  const values = schemasAt(root, path).flatMap((schema) => [
    ...(schema.enum ?? []),
    ...(schema.const === undefined ? [] : [schema.const]),
    ...(schema.type === "boolean" ? [true, false] : []),
    ...(schema.default === undefined || schema.default === null ? [] : [schema.default]),
  ]);
  return [...new Set(values)];
}
