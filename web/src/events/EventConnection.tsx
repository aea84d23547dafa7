import { useEffect } from "react";
import { useQueryClient } from "@tanstack/react-query";
import { forgetAhead } from "../api/prefetch";
import { useSession } from "../app/session";
import { announce, connectionIs } from "./connection";
import { follow } from "./follow";
import { Refresher } from "./refresh";

/** Keeps what is shown in step with what happens, as long as somebody is signed in. */
export function EventConnection() {
  const client = useQueryClient();
  const { me, lookAgain } = useSession();
  const user = me?.user;
  useEffect(() => {
    if (!user) {
      return;
    }
    const refresher = new Refresher(client);
    const stop = follow(user, (news) => {
      if (news.kind === "events" || (news.kind === "open" && news.gap)) {
        // A list that is drawn only later would not be told of this.
        forgetAhead();
      }
      if (news.kind === "events") {
        announce(news.events);
        refresher.heard(news.events);
        return;
      }
      if (news.kind === "other-user") {
        // Else it is found out when somebody comes back to this tab.
        lookAgain().catch(() => {});
        return;
      }
      connectionIs(news.kind);
      if (news.kind === "open" && news.gap) {
        refresher.everything();
      }
    });
    return () => {
      stop();
      refresher.stop();
      connectionIs("open");
    };
  }, [client, user, lookAgain]);
  return null;
}
