/** What this browser remembers of its user's choices. A browser may forbid it; then nothing is remembered. */
type Choice = "language" | "theme" | "menu" | "jobs-view";

export function remembered(choice: Choice): string | null {
  try {
    return localStorage.getItem(`trainyard.${choice}`);
  } catch {
    return null;
  }
}

export function remember(choice: Choice, value: string): void {
  try {
    localStorage.setItem(`trainyard.${choice}`, value);
  } catch {
    // Private windows and full disks: the choice lasts as long as the page.
  }
}
