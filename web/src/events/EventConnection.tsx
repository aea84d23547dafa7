import { useEffect } from "react";
import { useQueryClient } from "@tanstack/react-query";
import { clearPrefetched } from "../api/prefetch";
import { useSession } from "../app/session";
import { announce, setConnectionState } from "./connection";
import { follow } from "./follow";
import { Refresher } from "./refresh";

/** Keeps the page up to date with events while a user is signed in. */
export function EventConnection() {
  const client = useQueryClient();
  const { me, recheckSession } = useSession();
  const user = me?.user;
  useEffect(() => {
    if (!user) {
      return;
    }
    const refresher = new Refresher(client);
    const stop = follow(user, (news) => {
      if (news.kind === "events" || (news.kind === "open" && news.gap)) {
        // A list that renders later would otherwise use data from before these events.
        clearPrefetched();
      }
      if (news.kind === "events") {
        announce(news.events);
        refresher.onEvents(news.events);
        return;
      }
      if (news.kind === "other-user") {
        // On failure, the change is detected when the user returns to this tab.
        recheckSession().catch(() => {});
        return;
      }
      setConnectionState(news.kind);
      if (news.kind === "open" && news.gap) {
        refresher.refreshAll();
      }
    });
    return () => {
      stop();
      refresher.stop();
      setConnectionState("open");
    };
  }, [client, user, recheckSession]);
  return null;
}
