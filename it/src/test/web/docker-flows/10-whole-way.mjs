// The same flow as with the process engine. Sequential because the jobs of one language would use the whole capacity.
export { default } from "../flows/15-whole-way.mjs";
export const sequential = true;
