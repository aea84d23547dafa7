/** Responses that were requested before the code that uses them was loaded; each response is used once. */
const responses = new Map<string, Promise<Response | undefined>>();

/** Prefetched responses older than this are discarded, in milliseconds. */
const MAX_AGE = 10_000;

export function prefetch(address: string): void {
  const response = fetch(address, { headers: { Accept: "application/json" }, credentials: "same-origin" });
  // A failed request is sent again when its response is needed.
  responses.set(
    address,
    response.catch(() => undefined),
  );
  setTimeout(() => responses.delete(address), MAX_AGE);
}

export function takePrefetched(address: string): Promise<Response | undefined> | undefined {
  const response = responses.get(address);
  responses.delete(address);
  return response;
}

/** Discards all responses that were not used yet. Called when the data of the server has changed or may have changed. */
export function clearPrefetched(): void {
  responses.clear();
}
