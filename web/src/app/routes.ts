import type { ComponentType } from "react";

/** The users who may see a page. The value only affects the display; the server checks every request. */
type Audience = "public" | "user" | "admin";

export interface PageRoute {
  /** Pattern in wouter's syntax: `:part` for a segment, `*?` for an optional rest. */
  readonly path: string;
  readonly audience: Audience;
  /** Loads the page on its first visit. */
  readonly load: () => Promise<{ default: ComponentType }>;
}

/** All pages of the application. To add one, add a line here, and in menu.tsx if it belongs in the menu. */
export const routes: readonly PageRoute[] = [
  { path: "/", audience: "public", load: () => import("../home/StartPage") },
  { path: "/signin", audience: "public", load: () => import("../account/SignInPage") },
  { path: "/signup", audience: "public", load: () => import("../account/SignUpPage") },
  { path: "/jobs", audience: "user", load: () => import("../jobs/JobsPage") },
  { path: "/jobs/:user/:name", audience: "user", load: () => import("../job/JobPage") },
  { path: "/submit", audience: "user", load: () => import("../submit/SubmitPage") },
  { path: "/images", audience: "user", load: () => import("../images/ImagesPage") },
  { path: "/cluster", audience: "user", load: () => import("../cluster/ClusterPage") },
  { path: "/admin/*?", audience: "admin", load: () => import("../admin/AdminPage") },
  { path: "/account/*?", audience: "user", load: () => import("../account/AccountPage") },
  { path: "/help/*?", audience: "public", load: () => import("../help/HelpPage") },
];

/** Starts to load the code of a page in parallel with the request for the signed-in user. */
export function preloadPage(address: string): void {
  const fits = ({ path }: PageRoute) =>
    new RegExp(`^${path.replace("/*?", "(/.*)?").replace(/:\w+/g, "[^/]+")}/?$`).test(address);
  // A failure is ignored here: the page is loaded again when it is rendered, and that failure is reported.
  routes.find(fits)?.load().catch(() => {});
}
