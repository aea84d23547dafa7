/** Preferences of the user, stored in the browser. Nothing is stored if the browser forbids it. */
type Choice = "language" | "theme" | "menu" | "jobs-view" | "log-wrap";

export function readPreference(choice: Choice): string | null {
  try {
    return localStorage.getItem(`trainyard.${choice}`);
  } catch {
    return null;
  }
}

export function savePreference(choice: Choice, value: string): void {
  try {
    localStorage.setItem(`trainyard.${choice}`, value);
  } catch {
    // Private window or full disk: the preference lasts until the page is closed.
  }
}
