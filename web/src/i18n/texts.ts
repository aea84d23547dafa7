/** The texts of a feature in one language. A text with parameters is a function. */
export type TextTable = { readonly [key: string]: Text };
type Text = string | ((...values: never[]) => string) | TextTable;

type SameShape<T> = {
  readonly [K in keyof T]: T[K] extends string
    ? string
    : T[K] extends (...values: infer V) => string
      ? (...values: V) => string
      : SameShape<T[K]>;
};

/**
 * The texts of a feature in every language. English defines the keys; a missing or additional key in
 * Chinese does not compile.
 */
export interface Texts<T extends TextTable> {
  readonly en: T;
  readonly zh: SameShape<T>;
}

/** `texts({ title: "Jobs" }, { title: "任务" })` */
export function texts<T extends TextTable>(en: T, zh: SameShape<T>): Texts<T> {
  return { en, zh };
}
