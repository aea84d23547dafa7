/** Returns the first name in the sequence `hello`, `hello-2`, `hello-3` that follows the given name and is not taken. */
export function nextName(name: string, taken: ReadonlySet<string>): string {
  const { stem, number } = stemOf(name);
  let next = number + 1;
  while (taken.has(`${stem}-${next}`)) {
    next++;
  }
  return `${stem}-${next}`;
}

/** Splits `hello-2` into `hello` and 2; a name without a number has the number 1. */
export function stemOf(name: string): { readonly stem: string; readonly number: number } {
  const [, stem = name, number = "1"] = /^(.*?)-(\d{1,4})$/.exec(name) ?? [];
  return { stem, number: Number(number) };
}
