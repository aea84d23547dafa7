/** Answers that were asked for before the code that wants them was there; each is taken once. */
const asked = new Map<string, Promise<Response>>();

/** Nobody wants older news than this. */
const FRESH = 10_000;

export function askAhead(address: string): void {
  const answer = fetch(address, { headers: { Accept: "application/json" }, credentials: "same-origin" });
  // Whoever takes it says what is wrong.
  answer.catch(() => {});
  asked.set(address, answer);
  setTimeout(() => asked.delete(address), FRESH);
}

export function takeAhead(address: string): Promise<Response> | undefined {
  const answer = asked.get(address);
  asked.delete(address);
  return answer;
}
