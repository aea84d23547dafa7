// The same flow as with the process engine. The languages run one after the other because the jobs of one language use the whole
// capacity.
export { default } from "../flows/15-whole-way.mjs";
export const sequential = true;
