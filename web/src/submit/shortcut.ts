import { useEffect, useRef } from "react";

/** Calls the function on Ctrl+Enter or Cmd+Enter, regardless of the focus. */
export function useShortcut(work: () => void): void {
  const latest = useRef(work);
  useEffect(() => {
    latest.current = work;
  });
  useEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && !event.repeat) {
        event.preventDefault();
        latest.current();
      }
    };
    addEventListener("keydown", pressed, true);
    return () => removeEventListener("keydown", pressed, true);
  }, []);
}
