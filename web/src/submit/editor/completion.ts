import type { Completion, CompletionContext, CompletionResult } from "@codemirror/autocomplete";
import { insertCompletionText, snippet } from "@codemirror/autocomplete";
import { parseDocument } from "yaml";
import { isMap, type Path } from "../document/path";
import { jsonCursorContext } from "./cursor-context";
import { fieldsAt, valuesAt, type Suggestion, type Schema } from "./schema";
import { yamlCursorContext } from "./yaml-cursor-context";

/** Names that exist on this server: virtual clusters, images, device models. */
export interface KnownNames {
  readonly virtualClusters: readonly string[];
  readonly images: readonly string[];
  readonly deviceTypes: readonly string[];
}

export interface Help {
  readonly schema: () => Schema | undefined;
  readonly names: () => KnownNames;
}

export function completeBySchema(help: Help) {
  return (context: CompletionContext): CompletionResult | null => {
    const schema = help.schema();
    const text = context.state.doc.toString();
    const json = /^\s*\{/.test(text);
    const cursor = json ? jsonCursorContext(text, context.pos) : yamlCursorContext(text, context.pos);
    if (!schema || !cursor) {
      return null;
    }
    // Quotation marks around a JSON string are not part of the search text, but are replaced together with it.
    const quoted = json && text[cursor.from] === '"' && cursor.from < context.pos;
    const around = { before: quoted ? 1 : 0, after: quoted && text[context.pos] === '"' ? 1 : 0 };
    const rest = text.slice(context.pos + around.after);
    const options =
      cursor.kind === "name"
        ? fieldsAt(schema, cursor.within)
            .filter(({ name }) => !cursor.taken.includes(name))
            .map((offer) => fieldOption(offer, json, rest, around))
        : values(schema, help.names(), text, cursor.within).map((value) => valueOption(value, json, around));
    const from = cursor.from + around.before;
    if (options.length === 0 || (!context.explicit && from === context.pos && !json)) {
      return context.explicit && options.length > 0 ? { from, options } : null;
    }
    return { from, options };
  };
}

/** Number of characters around the search text that are replaced together with it. */
interface SurroundingLengths {
  readonly before: number;
  readonly after: number;
}

function fieldOption(offer: Suggestion, json: boolean, rest: string, around: SurroundingLengths): Completion {
  const { name, schema, required } = offer;
  const hasColon = /^\s*:/.test(rest);
  const written = json ? `"${name}"` : name;
  const template = hasColon ? written : `${written}:${json ? ` ${jsonValue(schema)}` : yamlValue(schema)}`;
  return {
    label: name,
    type: required ? "keyword" : "property",
    boost: required ? 10 : schema.deprecated ? -10 : 0,
    ...(schema.description ? { info: schema.description } : {}),
    ...(schema.default !== undefined ? { detail: `= ${JSON.stringify(schema.default)}` } : {}),
    apply: applied(template, around),
  };
}

function applied(template: string, around: SurroundingLengths): Exclude<Completion["apply"], string | undefined> {
  const insert = snippet(template);
  return (view, completion, from, to) => insert(view, completion, from - around.before, to + around.after);
}

function jsonValue(schema: Schema): string {
  const type = typeOf(schema);
  if (schema.const !== undefined || schema.default !== undefined) {
    return `#{1:${JSON.stringify(schema.const ?? schema.default).replace(/[{}]/g, "")}}`;
  }
  return type === "string" ? '"#{}"' : type === "object" ? "{#{}}" : type === "array" ? "[#{}]" : "#{}";
}

function yamlValue(schema: Schema): string {
  const type = typeOf(schema);
  if (schema.const !== undefined || (schema.default !== undefined && type !== "object")) {
    return ` #{1:${String(schema.const ?? schema.default).replace(/[{}]/g, "")}}`;
  }
  return type === "object" ? "\n\t#{}" : type === "array" ? "\n\t- #{}" : " #{}";
}

function typeOf(schema: Schema): string | undefined {
  return typeof schema.type === "string" ? schema.type : schema.type?.[0];
}

function valueOption(value: unknown, json: boolean, around: SurroundingLengths): Completion {
  const written = json ? JSON.stringify(value) : String(value);
  return {
    label: String(value),
    type: "enum",
    apply: (view, _, from, to) => view.dispatch(insertCompletionText(view.state, written, from - around.before, to + around.after)),
  };
}

/** Returns the values of this server or of the file for a field, or else those of the schema. */
function values(schema: Schema, names: KnownNames, text: string, path: Path): readonly unknown[] {
  switch (path.at(-1)) {
    case "virtualCluster":
      return names.virtualClusters;
    case "gpuType":
      return names.deviceTypes;
    case "image":
    case "uri":
      return names.images;
    case "dockerImage":
      return prerequisites(text, "dockerimage");
    case "data":
    case "output":
    case "script":
      return path[0] === "taskRoles" ? prerequisites(text, String(path.at(-1))) : valuesAt(schema, path);
    default:
      return valuesAt(schema, path);
  }
}

/** Returns the names that a role can refer to; the file may be incomplete. */
function prerequisites(text: string, type: string): readonly string[] {
  let root: unknown = null;
  try {
    root = parseDocument(text, { logLevel: "silent" }).toJS();
  } catch {
    // An alias without an anchor: no values can be suggested.
  }
  const all = isMap(root) ? root["prerequisites"] : null;
  return (Array.isArray(all) ? all : [])
    .filter((one: unknown) => isMap(one) && one["type"] === type && typeof one["name"] === "string")
    .map((one: Record<string, unknown>) => String(one["name"]));
}
