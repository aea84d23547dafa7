/** Types of the API, which build/write-api-types.mjs generates from the OpenAPI document. */
export type * from "../../target/api";
