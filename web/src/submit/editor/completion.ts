import type { Completion, CompletionContext, CompletionResult } from "@codemirror/autocomplete";
import { snippetCompletion } from "@codemirror/autocomplete";
import { parseDocument } from "yaml";
import { isMap, type Path } from "../document/path";
import { placeInJson } from "./place";
import { fieldsAt, valuesAt, type Offer, type Schema } from "./schema";
import { placeInYaml } from "./yaml-place";

/** Names that this server knows: virtual clusters, images, models of cards. */
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
    const place = json ? placeInJson(text, context.pos) : placeInYaml(text, context.pos);
    if (!schema || !place) {
      return null;
    }
    const quoted = json && text[place.from] === '"';
    const to = quoted && text[context.pos] === '"' ? context.pos + 1 : context.pos;
    const options =
      place.kind === "name"
        ? fieldsAt(schema, place.within)
            .filter(({ name }) => !place.taken.includes(name))
            .map((offer) => fieldOption(offer, json, text.slice(to)))
        : values(schema, help.names(), text, place.within).map((value) => valueOption(value, json));
    if (options.length === 0 || (!context.explicit && place.from === context.pos && !json)) {
      return context.explicit && options.length > 0 ? { from: place.from, to, options } : null;
    }
    return { from: place.from, to, options, filter: true };
  };
}

function fieldOption(offer: Offer, json: boolean, rest: string): Completion {
  const { name, schema, required } = offer;
  const hasColon = /^"?\s*:/.test(rest);
  const written = json ? `"${name}"` : name;
  const option: Completion = {
    label: written,
    displayLabel: name,
    type: required ? "keyword" : "property",
    boost: required ? 10 : schema.deprecated ? -10 : 0,
    ...(schema.description ? { info: schema.description } : {}),
    ...(schema.default !== undefined ? { detail: `= ${JSON.stringify(schema.default)}` } : {}),
  };
  return hasColon ? option : snippetCompletion(`${written}: ${json ? jsonValue(schema) : yamlValue(schema)}`, option);
}

function jsonValue(schema: Schema): string {
  const type = typeOf(schema);
  if (schema.const !== undefined || schema.default !== undefined) {
    return `#{${JSON.stringify(schema.const ?? schema.default).replace(/[{}]/g, "")}}`;
  }
  return type === "string" ? '"#{}"' : type === "object" ? "{#{}}" : type === "array" ? "[#{}]" : "#{}";
}

function yamlValue(schema: Schema): string {
  const type = typeOf(schema);
  if (schema.const !== undefined || (schema.default !== undefined && type !== "object")) {
    return `#{${String(schema.const ?? schema.default).replace(/[{}]/g, "")}}`;
  }
  return type === "object" ? "\n\t#{}" : type === "array" ? "\n\t- #{}" : "#{}";
}

function typeOf(schema: Schema): string | undefined {
  return typeof schema.type === "string" ? schema.type : schema.type?.[0];
}

function valueOption(value: unknown, json: boolean): Completion {
  return { label: json ? JSON.stringify(value) : String(value), displayLabel: String(value), type: "enum" };
}

/** What this server or the file has for a field, else what the schema says. */
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

/** The names that a role can refer to; the file need not be finished. */
function prerequisites(text: string, type: string): readonly string[] {
  let root: unknown = null;
  try {
    root = parseDocument(text, { logLevel: "silent" }).toJS();
  } catch {
    // A reference to what is not there yet: nothing can be offered.
  }
  const all = isMap(root) ? root["prerequisites"] : null;
  return (Array.isArray(all) ? all : [])
    .filter((one: unknown) => isMap(one) && one["type"] === type && typeof one["name"] === "string")
    .map((one: Record<string, unknown>) => String(one["name"]));
}
