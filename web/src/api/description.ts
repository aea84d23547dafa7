/** Types of the API, which build/write-api-types.mjs generates from its OpenAPI description. */
export type * from "../../target/api";
