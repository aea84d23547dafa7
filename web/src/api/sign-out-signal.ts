/** Told whenever the server no longer knows who asks. */
type Listener = () => void;

const listeners = new Set<Listener>();

export function sessionIsOver(): void {
  listeners.forEach((listener) => listener());
}

export function onSessionOver(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
