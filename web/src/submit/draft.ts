import { useCallback, useEffect, useState } from "react";

/** The current state of the form and the editor. */
export interface Draft {
  readonly text: string;
  /** Text of the open editor that was not saved to the form yet. */
  readonly editing: string | null;
  /** Whether the user has changed the draft, so that input would be lost if the draft were discarded. */
  readonly touched: boolean;
}

/**
 * Drafts are stored per tab: they survive a reload, a new sign-in and an unreachable server. They are
 * deleted when the tab is closed, when their owner signs out and when another user signs in, because
 * they may contain scripts and secrets.
 */
function keyOf(user: string, origin: string): string {
  return `trainyard.draft.${user}.${origin}`;
}

export function savedDraft(user: string, origin: string): Draft | null {
  try {
    const stored = sessionStorage.getItem(keyOf(user, origin));
    const draft: unknown = stored ? JSON.parse(stored) : null;
    return isDraft(draft) ? draft : null;
  } catch {
    return null;
  }
}

export function forgetDraft(user: string, origin: string): void {
  try {
    sessionStorage.removeItem(keyOf(user, origin));
  } catch {
    // If storage is forbidden, there is no draft to delete.
  }
}

function isDraft(value: unknown): value is Draft {
  return typeof value === "object" && value !== null && "text" in value && typeof value.text === "string";
}

/** Returns the draft for an origin (`new`, a template, a cloned job); stored after every change. */
export function useDraft(user: string, origin: string, first: () => Draft) {
  const [draft, setDraft] = useState<Draft>(() => savedDraft(user, origin) ?? first());
  const [over, setOver] = useState(false);
  useEffect(() => {
    if (over || !(draft.touched || draft.editing !== null)) {
      forgetDraft(user, origin);
      return;
    }
    try {
      sessionStorage.setItem(keyOf(user, origin), JSON.stringify(draft));
    } catch {
      // Storage is full or forbidden: the draft lasts until the page is closed.
    }
  }, [user, origin, draft, over]);
  const finish = useCallback(() => {
    forgetDraft(user, origin);
    setOver(true);
  }, [user, origin]);
  return { draft, setDraft, finish };
}
