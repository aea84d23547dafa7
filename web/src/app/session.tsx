import { createContext, use, useCallback, useEffect, useMemo, type ReactNode } from "react";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { api, cookie } from "../api/client";
import { onSessionOver } from "../api/sign-out-signal";
import type { Me } from "../api/types";
import { draftsAreOf, forgetDrafts } from "../components/form-drafts";

interface Session {
  /** Who is signed in; null if nobody is. */
  readonly me: Me | null;
  /** To be called after the server has made a session. */
  readonly signedIn: () => Promise<void>;
  readonly signOut: () => Promise<void>;
  /** Ends what is shown if this browser is now nobody's or somebody else's: it would go on under their name. */
  readonly lookAgain: () => Promise<void>;
}

const KEY = ["session"];
const SessionContext = createContext<Session | null>(null);

/** Without the cookie that comes with every session there is nothing to ask the server. */
async function whoAmI(): Promise<Me | null> {
  if (!cookie("trainyard_csrf")) {
    return null;
  }
  try {
    const me = await api.get<Me>("/me");
    draftsAreOf(me.user);
    return me;
  } catch (error) {
    if (error instanceof Error && "status" in error && error.status === 401) {
      return null;
    }
    throw error;
  }
}

/** Shows nothing until it is known who is signed in. */
export function SessionProvider(props: { children: ReactNode; waiting: ReactNode }) {
  const client = useQueryClient();
  const query = useQuery({ queryKey: KEY, queryFn: whoAmI, staleTime: Infinity, refetchOnWindowFocus: false });

  const forget = useCallback(() => {
    client.setQueryData(KEY, null);
    client.removeQueries({ predicate: (one) => one.queryKey[0] !== KEY[0] });
  }, [client]);
  useEffect(() => onSessionOver(forget), [forget]);

  const user = query.data?.user;
  const lookAgain = useCallback(async () => {
    const now = await whoAmI();
    if (user && now === null) {
      forget();
    } else if (user && now?.user !== user) {
      location.reload();
    }
  }, [user, forget]);
  useOtherSession(user, lookAgain);

  const session = useMemo<Session>(
    () => ({
      me: query.data ?? null,
      signedIn: async () => {
        client.removeQueries({ predicate: (one) => one.queryKey[0] !== KEY[0] });
        await client.fetchQuery({ queryKey: KEY, queryFn: whoAmI, staleTime: 0 });
      },
      signOut: async () => {
        try {
          await api.delete("/sessions/current");
        } catch (error) {
          // Over already, which is what was wanted.
          if (!(error instanceof Error && "status" in error && error.status === 401)) {
            throw error;
          }
        }
        forgetDrafts();
        forget();
      },
      lookAgain,
    }),
    [query.data, client, forget, lookAgain],
  );
  return <SessionContext value={session}>{query.isSuccess ? props.children : props.waiting}</SessionContext>;
}

/** Every session has another cookie, so nothing is asked while it is the same. */
function useOtherSession(user: string | undefined, lookAgain: () => Promise<void>): void {
  useEffect(() => {
    let seen = cookie("trainyard_csrf");
    const look = () => {
      const now = cookie("trainyard_csrf");
      if (user && document.visibilityState === "visible" && now !== seen) {
        lookAgain().then(
          () => (seen = now),
          () => {
            // The server is away: asked again at the next look.
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
  }, [user, lookAgain]);
}

export function useSession(): Session {
  const session = use(SessionContext);
  if (!session) {
    throw new Error("no SessionProvider around");
  }
  return session;
}

/** Who is signed in, on pages that only they can see. */
export function useMe(): Me {
  const { me } = useSession();
  if (!me) {
    throw new Error("nobody is signed in");
  }
  return me;
}
