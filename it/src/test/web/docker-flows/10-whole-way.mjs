// As with the other engine; the machine is small, and one language's jobs would fill it for the other.
export { default } from "../flows/15-whole-way.mjs";
export const inTurn = true;
