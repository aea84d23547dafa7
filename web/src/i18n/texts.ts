/**
 * The same words in every language. English sets the shape; Chinese lacking a key, or having one
 * too many, does not compile. A text with values in it is a function.
 */
export type Words = { readonly [key: string]: Word };
type Word = string | ((...values: never[]) => string) | Words;

type SameShape<T> = {
  readonly [K in keyof T]: T[K] extends string
    ? string
    : T[K] extends (...values: infer V) => string
      ? (...values: V) => string
      : SameShape<T[K]>;
};

export interface Texts<T extends Words> {
  readonly en: T;
  readonly zh: SameShape<T>;
}

/** `texts({ title: "Jobs" }, { title: "任务" })` */
export function texts<T extends Words>(en: T, zh: SameShape<T>): Texts<T> {
  return { en, zh };
}
