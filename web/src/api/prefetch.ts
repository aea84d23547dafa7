/** Responses that were requested before the code that uses them was loaded; each response is used once. */
const asked = new Map<string, Promise<Response | undefined>>();

/** Prefetched responses older than this are discarded, in milliseconds. */
const FRESH = 10_000;

export function prefetch(address: string): void {
  const answer = fetch(address, { headers: { Accept: "application/json" }, credentials: "same-origin" });
  // A failed request is sent again when its response is needed.
  asked.set(
    address,
    answer.catch(() => undefined),
  );
  setTimeout(() => asked.delete(address), FRESH);
}

export function takePrefetched(address: string): Promise<Response | undefined> | undefined {
  const answer = asked.get(address);
  asked.delete(address);
  return answer;
}

/** Discards all responses that were not used yet. Called when the data of the server has changed or may have changed. */
export function clearPrefetched(): void {
  asked.clear();
}
