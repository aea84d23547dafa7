import { createContext, use, useCallback, useEffect, useMemo, type ReactNode } from "react";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { api, cookie } from "../api/client";
import { onSessionEnd } from "../api/sign-out-signal";
import type { Me } from "../api/types";
import { setDraftOwner, clearDrafts } from "../components/form-drafts";

interface Session {
  /** The signed-in user; null if no user is signed in. */
  readonly me: Me | null;
  /** Must be called after the server has created a session. */
  readonly signedIn: () => Promise<void>;
  readonly signOut: () => Promise<void>;
  /**
   * Checks which user is signed in, and resets the page if the session has ended or belongs to another
   * user. Without the reset, the page would send requests in the name of that other user.
   */
  readonly recheckSession: () => Promise<void>;
}

const KEY = ["session"];
const SessionContext = createContext<Session | null>(null);

/** Returns the signed-in user, or null. Sends no request if the cookie that every session has is missing. */
async function fetchMe(): Promise<Me | null> {
  if (!cookie("trainyard_csrf")) {
    return null;
  }
  try {
    const me = await api.get<"me">("/me");
    setDraftOwner(me.user);
    return me;
  } catch (error) {
    if (error instanceof Error && "status" in error && error.status === 401) {
      return null;
    }
    throw error;
  }
}

/** Provides the session; renders `waiting` until the server has returned the signed-in user. */
export function SessionProvider(props: { children: ReactNode; waiting: ReactNode }) {
  const client = useQueryClient();
  const query = useQuery({ queryKey: KEY, queryFn: fetchMe, staleTime: Infinity, refetchOnWindowFocus: false });

  const forget = useCallback(() => {
    client.setQueryData(KEY, null);
    client.removeQueries({ predicate: (one) => one.queryKey[0] !== KEY[0] });
  }, [client]);
  useEffect(() => onSessionEnd(forget), [forget]);

  const user = query.data?.user;
  const recheckSession = useCallback(async () => {
    const now = await fetchMe();
    if (user && now === null) {
      forget();
    } else if (user && now?.user !== user) {
      location.reload();
    }
  }, [user, forget]);
  useOtherSession(user, recheckSession);

  const session = useMemo<Session>(
    () => ({
      me: query.data ?? null,
      signedIn: async () => {
        client.removeQueries({ predicate: (one) => one.queryKey[0] !== KEY[0] });
        await client.fetchQuery({ queryKey: KEY, queryFn: fetchMe, staleTime: 0 });
      },
      signOut: async () => {
        try {
          await api.delete("/sessions/current");
        } catch (error) {
          // The session has already ended.
          if (!(error instanceof Error && "status" in error && error.status === 401)) {
            throw error;
          }
        }
        clearDrafts();
        forget();
      },
      recheckSession,
    }),
    [query.data, client, forget, recheckSession],
  );
  return <SessionContext value={session}>{query.isSuccess ? props.children : props.waiting}</SessionContext>;
}

/** Detects that another session was started in this browser. Each session has its own cookie, so no request is sent while the cookie is the same. */
function useOtherSession(user: string | undefined, recheckSession: () => Promise<void>): void {
  useEffect(() => {
    let seen = cookie("trainyard_csrf");
    const look = () => {
      const now = cookie("trainyard_csrf");
      if (user && document.visibilityState === "visible" && now !== seen) {
        recheckSession().then(
          () => (seen = now),
          () => {
            // The server is unreachable; the next focus checks again.
          },
        );
      }
    };
    addEventListener("focus", look);
    document.addEventListener("visibilitychange", look);
    return () => {
      removeEventListener("focus", look);
      document.removeEventListener("visibilitychange", look);
    };
  }, [user, recheckSession]);
}

export function useSession(): Session {
  const session = use(SessionContext);
  if (!session) {
    throw new Error("no SessionProvider");
  }
  return session;
}

/** Returns the signed-in user; only for pages that require sign-in. */
export function useMe(): Me {
  const { me } = useSession();
  if (!me) {
    throw new Error("no user is signed in");
  }
  return me;
}
