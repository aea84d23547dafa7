import { lazy, Suspense, useEffect, useState } from "react";
import { useLocation } from "wouter";

/** Loaded on demand because few visits need it. */
const ShortcutList = lazy(() => import("./ShortcutList"));

const SEARCH = "input[type=search], [data-search] input";

/** Keys that work on all pages while no field has the focus: `/` searches, `?` lists the keys. */
export function Shortcuts() {
  const [listed, setListed] = useState(false);
  const [, navigate] = useLocation();
  useEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      if (event.key === "Escape") {
        // The dialog itself receives keys only after its animation.
        setListed(false);
        return;
      }
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || isTyping(event.target)) {
        return;
      }
      if (event.key === "?") {
        event.preventDefault();
        setListed(true);
      } else if (event.key === "/") {
        event.preventDefault();
        if (!focusSearch()) {
          navigate("/jobs");
          focusSoon();
        }
      }
    };
    addEventListener("keydown", pressed);
    return () => removeEventListener("keydown", pressed);
  }, [navigate]);
  return listed ? (
    <Suspense>
      <ShortcutList close={() => setListed(false)} />
    </Suspense>
  ) : null;
}

/** Returns whether shortcuts are inactive: fields, editors and terminals receive all keys, and a dialog covers the search field. */
function isTyping(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest("input, textarea, select, [contenteditable], .xterm, [role=dialog]") !== null;
}

function focusSearch(): boolean {
  const field = [...document.querySelectorAll<HTMLInputElement>(SEARCH)].find((one) => one.offsetParent !== null);
  field?.focus();
  field?.select();
  return field !== undefined;
}

/** Moves the focus to the search field; retries because the page with the field may have to be loaded first. */
function focusSoon(triesLeft = 20): void {
  if (!focusSearch() && triesLeft > 0) {
    setTimeout(() => focusSoon(triesLeft - 1), 50);
  }
}
