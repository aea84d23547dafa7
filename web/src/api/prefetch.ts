/** Answers that were asked for before the code that wants them was there; each is taken once. */
const asked = new Map<string, Promise<Response | undefined>>();

/** Nobody wants older news than this. */
const FRESH = 10_000;

export function askAhead(address: string): void {
  const answer = fetch(address, { headers: { Accept: "application/json" }, credentials: "same-origin" });
  // What went wrong may be right by the time somebody wants it, so it is asked for again then.
  asked.set(
    address,
    answer.catch(() => undefined),
  );
  setTimeout(() => asked.delete(address), FRESH);
}

export function takeAhead(address: string): Promise<Response | undefined> | undefined {
  const answer = asked.get(address);
  asked.delete(address);
  return answer;
}

/** Something has happened since, or may have: what nobody has taken yet is to be asked for again. */
export function forgetAhead(): void {
  asked.clear();
}
