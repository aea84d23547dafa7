import assert from "node:assert/strict";
import { test } from "node:test";
import { apiTypes } from "../build/api-types.mjs";

/** Returns the declaration of one schema, without line breaks. */
function typeOf(schema, others = {}) {
  const text = apiTypes({ paths: {}, components: { schemas: { ...others, Tested: schema } } });
  return /export type Tested = ([^]*?);\n\n/.exec(text)[1].replace(/\s+/g, " ");
}

function bodies(operation, components = {}) {
  return apiTypes({ paths: { "/x": { post: { operationId: "act", ...operation } } }, components }).replace(/\s+/g, " ");
}

const json = (schema) => ({ content: { "application/json": { schema } } });

test("apiTypes_object_onlyRequiredPropertiesAreAlwaysThere", () => {
  const schema = { type: "object", required: ["a"], properties: { a: { type: "integer" }, b: { type: ["string", "null"] } } };
  assert.equal(typeOf(schema), "{ readonly a: number; readonly b?: string | null; }");
});

test("apiTypes_enumsAndReferences", () => {
  assert.equal(typeOf({ type: "string", enum: ["A", "B", null] }), '"A" | "B" | null');
  assert.equal(typeOf({ oneOf: [{ $ref: "#/components/schemas/Other" }, { type: "null" }] }, { Other: {} }), "Other | null");
});

test("apiTypes_arraysAndMaps", () => {
  assert.equal(typeOf({ type: "array", items: { type: ["string", "null"] } }), "readonly (string | null)[]");
  assert.equal(typeOf({ type: "array", minItems: 2, maxItems: 2, items: { type: "integer" } }), "readonly [number, number]");
  assert.equal(typeOf({ type: "object" }), "Readonly<Record<string, unknown>>");
  assert.equal(typeOf({ type: "object", additionalProperties: { type: "boolean" } }), "Readonly<Record<string, boolean>>");
  const named = { type: "object", propertyNames: { $ref: "#/components/schemas/Key" }, additionalProperties: { type: "integer" } };
  assert.equal(typeOf(named, { Key: {} }), "Readonly<Partial<Record<Key, number>>>");
});

test("apiTypes_allOf_canRequirePropertiesOfTheOtherPart", () => {
  const parts = [{ $ref: "#/components/schemas/Other" }, { type: "object", required: ["a", "b"], properties: { a: { type: "string" } } }];
  assert.equal(typeOf({ allOf: parts }, { Other: {} }), 'Other & { readonly a: string; } & Required<Pick<Other, "b">>');
});

test("apiTypes_unknownKeyword_isAnError", () => {
  assert.throws(() => typeOf({ type: "string", patternProperties: {} }), /patternProperties/);
  assert.throws(() => typeOf({ type: "object", required: ["a"], properties: {} }), /required but not described: a/);
});

test("apiTypes_operation_hasItsSuccessfulResponses", () => {
  const text = bodies({ responses: { 200: json({ type: "string" }), 204: {}, 400: json({ type: "boolean" }) } });
  assert.match(text, /Responses \{ readonly act: string \| undefined; \}/);
  assert.match(text, /Requests \{ \}/);
  assert.match(bodies({ responses: { 204: {} } }), /Responses \{ \}/);
});

test("apiTypes_operation_hasItsRequestAndItsLines", () => {
  const lines = { content: { "application/x-ndjson": { schema: { type: "string" }, "x-line": { type: "integer" } } } };
  const body = { $ref: "#/components/requestBodies/Given" };
  const text = bodies({ requestBody: body, responses: { 200: lines } }, { requestBodies: { Given: json({ type: "boolean" }) } });
  assert.match(text, /Requests \{ readonly act: boolean; \}/);
  assert.match(text, /Lines \{ readonly act: number; \}/);
});
