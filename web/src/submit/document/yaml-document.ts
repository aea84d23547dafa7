import { Document, isCollection, isMap as isYamlMap, isScalar, parseDocument, Scalar, visit, type ScalarTag, type Tags } from "yaml";
import type { Fault, JobDocument, Opened } from "./job-document";
import { isMap, type Path } from "./path";

/** Does not fold long lines, because that would change lines that the user did not edit. */
const WRITING = { lineWidth: 0, flowCollectionPadding: true } as const;

export function openYaml(text: string): Opened {
  const document = parseDocument(text, { customTags: keepingSource, prettyErrors: true, maxAliasCount: 100 } as object);
  const [error] = document.errors;
  if (error) {
    return { fault: { kind: "broken", detail: error.message } };
  }
  const beyond = beyondForms(document);
  if (beyond) {
    return { fault: beyond };
  }
  return isMap(document.toJS()) ? { document: new YamlJob(document) } : { fault: { kind: "unknown" } };
}

/** Writes scalars such as numbers as they were in the source, not in the normal form of the library. */
function keepingSource(tags: Tags): Tags {
  return tags.map((tag) => {
    const scalar = tag as ScalarTag;
    if (typeof tag === "string" || tag.collection || !scalar.stringify) {
      return tag;
    }
    const { stringify } = scalar;
    return {
      ...scalar,
      stringify: (item: Scalar, ...rest: [never, never?, never?]) =>
        item.source !== undefined && item.type === "PLAIN" ? item.source : stringify(item, ...rest),
    } as ScalarTag;
  });
}

const PLAIN_NUMBER = /^-?(0|[1-9]\d*)(\.\d+)?$/;

/** Finds syntax that the form cannot show. OpenPAI interprets some scalars differently from this library, such as `010` and `1:30`; `<<` merges fields from elsewhere. */
function beyondForms(document: Document): Fault | null {
  let found: string | null = null;
  visit(document, {
    Alias: (_, node) => {
      found = `*${node.source}`;
      return visit.BREAK;
    },
    Pair: (_, pair) => {
      const key: unknown = isScalar(pair.key) ? pair.key.value : null;
      if (typeof key !== "string" || key === "<<") {
        found = String(key);
        return visit.BREAK;
      }
      return undefined;
    },
    Scalar: (_, node) => {
      const unusual = typeof node.value === "number" && !PLAIN_NUMBER.test(node.source ?? "");
      const clock = node.type === "PLAIN" && /^[-+]?\d+(:[0-5]?\d)+(\.\d*)?$/.test(node.source ?? "");
      if (unusual || clock || (node.tag && !node.tag.startsWith("tag:yaml.org,2002:"))) {
        found = node.source ?? String(node.value);
        return visit.BREAK;
      }
      return undefined;
    },
  });
  return found === null ? null : { kind: "beyond", what: found };
}

class YamlJob implements JobDocument {
  readonly syntax = "yaml";
  private plain: Record<string, unknown> | null = null;

  constructor(private readonly document: Document) {}

  get root(): Record<string, unknown> {
    this.plain ??= this.document.toJS() as Record<string, unknown>;
    return this.plain;
  }

  set(path: Path, value: unknown): void {
    this.plain = null;
    const node = this.document.createNode(value);
    this.blocks(node);
    if (path.length === 0) {
      this.document.contents = node as never;
      return;
    }
    const old = this.document.getIn(path, true);
    if (isScalar(old) && isScalar(node)) {
      node.comment = old.comment ?? null;
      node.commentBefore = old.commentBefore ?? null;
    }
    this.replaceScalars(path);
    this.document.setIn(path, null);
    this.document.setIn(path, node);
  }

  remove(path: Path): void {
    this.plain = null;
    if (this.document.hasIn(path)) {
      this.document.deleteIn(path);
    }
  }

  rename(path: Path, name: string): void {
    this.plain = null;
    const table = this.document.getIn(path.slice(0, -1), true);
    const pair = isYamlMap(table) ? table.items.find(({ key }) => isScalar(key) && key.value === path.at(-1)) : undefined;
    if (pair) {
      pair.key = this.document.createNode(name);
    }
  }

  text(): string {
    return this.document.toString(WRITING);
  }

  /** Replaces scalars on the path by collections, because a scalar cannot contain fields. An empty mapping (`defaults:`) and a mapping that is masked as a whole (`secrets: "******"`) are scalars. */
  private replaceScalars(path: Path): void {
    for (let length = 1; length < path.length; length++) {
      const above = path.slice(0, length);
      const there = this.document.getIn(above, true);
      if (there === undefined) {
        return;
      }
      if (!isCollection(there)) {
        this.document.setIn(above, this.document.createNode(typeof path[length] === "number" ? [] : {}));
        return;
      }
    }
  }

  /** Writes strings of several lines as block literals. */
  private blocks(node: unknown): void {
    visit(node as never, {
      Scalar: (_, scalar) => {
        if (typeof scalar.value === "string" && scalar.value.includes("\n")) {
          scalar.type = Scalar.BLOCK_LITERAL;
        }
      },
    });
  }
}
