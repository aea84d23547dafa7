/** Called when the server reports that the session has ended. */
type Listener = () => void;

const listeners = new Set<Listener>();

export function notifySessionEnd(): void {
  listeners.forEach((listener) => listener());
}

export function onSessionEnd(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
