import { lazy, Suspense, type ComponentType, type LazyExoticComponent } from "react";
import { Spin } from "antd";
import { Redirect, Route, Switch, useLocation } from "wouter";
import { ErrorBoundary } from "./ErrorBoundary";
import { Frame } from "./Frame";
import { loadOrReload } from "./load-or-reload";
import { routes, type PageRoute } from "./routes";
import { useSession } from "./session";

const pages = new Map<PageRoute, LazyExoticComponent<ComponentType>>(
  routes.map((route) => [route, lazy(() => loadOrReload(route.load))]),
);

/** Loaded on demand: these pages contain large images and are rarely shown. */
const NoSuchPage = lazy(() => loadOrReload(() => import("./NoSuchPage")));
const AdminOnly = lazy(() => loadOrReload(() => import("./AdminOnly")));

export function Pages() {
  const [location] = useLocation();
  return (
    <Frame>
      <ErrorBoundary of={location}>
        <Suspense fallback={<Spin className="page-loading" delay={200} />}>
          <Switch>
            {routes.map((route) => (
              <Route key={route.path} path={route.path}>
                <Guarded route={route} />
              </Route>
            ))}
            <Route>
              <NoSuchPage />
            </Route>
          </Switch>
        </Suspense>
      </ErrorBoundary>
    </Frame>
  );
}

/** Shows a page only to users who may see it. Visitors who must sign in first return to this page afterwards. */
function Guarded(props: { route: PageRoute }) {
  const { me } = useSession();
  const { audience } = props.route;
  if (audience !== "public" && !me) {
    const wanted = window.location.pathname + window.location.search;
    return <Redirect to={`/signin?to=${encodeURIComponent(wanted)}`} replace />;
  }
  if (audience === "admin" && !me?.admin) {
    return <AdminOnly />;
  }
  const Page = pages.get(props.route)!;
  return <Page />;
}
