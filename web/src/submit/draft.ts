import { useCallback, useEffect, useState } from "react";

/** What is being written, as it was when it was last touched. */
export interface Draft {
  readonly text: string;
  /** What stands in the open editor and was not saved into the form yet. */
  readonly editing: string | null;
  /** Whether somebody has changed it: else there is nothing to lose. */
  readonly touched: boolean;
}

/**
 * Drafts live as long as the tab: they outlast a reload, a new sign-in and a server that is away.
 * They are not kept longer, and go when their owner signs out or somebody else signs in, because
 * scripts and secrets in them are nobody else's business.
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
    // What could not be kept need not be forgotten.
  }
}

function isDraft(value: unknown): value is Draft {
  return typeof value === "object" && value !== null && "text" in value && typeof value.text === "string";
}

/** The draft of an origin (`new`, a template, a job that is cloned), kept with every change. */
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
      // A full or forbidden store: the draft lasts as long as the page.
    }
  }, [user, origin, draft, over]);
  const finish = useCallback(() => {
    forgetDraft(user, origin);
    setOver(true);
  }, [user, origin]);
  return { draft, setDraft, finish };
}
