/** What somebody has typed and not sent yet, kept for this tab. Passwords never are. */
type Values = Readonly<Record<string, unknown>>;

const secret = /password|secret/i;

export function readDraft(key: string): Values | null {
  try {
    return JSON.parse(sessionStorage.getItem(`trainyard.draft.${key}`) ?? "null") as Values | null;
  } catch {
    return null;
  }
}

export function writeDraft(key: string, values: Values): void {
  const kept = Object.fromEntries(Object.entries(values).filter(([name]) => !secret.test(name)));
  try {
    sessionStorage.setItem(`trainyard.draft.${key}`, JSON.stringify(kept));
  } catch {
    // A browser that forbids it keeps no drafts.
  }
}

export function dropDraft(key: string): void {
  try {
    sessionStorage.removeItem(`trainyard.draft.${key}`);
  } catch {
    // As above.
  }
}

const DRAFT = "trainyard.draft.";
const OWNER = "trainyard.drafts-of";

/** Of all forms in this tab; scripts and secrets in them are nobody else's business. */
export function forgetDrafts(): void {
  try {
    for (const key of Object.keys(sessionStorage)) {
      if (key.startsWith(DRAFT)) {
        sessionStorage.removeItem(key);
      }
    }
  } catch {
    // As above.
  }
}

/** A draft waits for its owner to sign in again, and goes when somebody else does. */
export function draftsAreOf(user: string): void {
  try {
    const before = sessionStorage.getItem(OWNER);
    if (before !== null && before !== user) {
      forgetDrafts();
    }
    sessionStorage.setItem(OWNER, user);
  } catch {
    // As above.
  }
}
