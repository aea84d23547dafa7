/** Unsent form input, stored for this tab. Passwords are never stored. */
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
    // If the browser forbids storage, there are no drafts.
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

/** Deletes the drafts of all forms in this tab, because they may contain scripts and secrets of their owner. */
export function clearDrafts(): void {
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

/** Keeps the drafts if their owner signs in again, and deletes them if another user signs in. */
export function setDraftOwner(user: string): void {
  try {
    const before = sessionStorage.getItem(OWNER);
    if (before !== null && before !== user) {
      clearDrafts();
    }
    sessionStorage.setItem(OWNER, user);
  } catch {
    // As above.
  }
}
