import type { ComponentType } from "react";

/** Who may see a page; the server decides anew with every request. */
type Audience = "everybody" | "user" | "admin";

export interface PageRoute {
  /** As wouter reads it: `:part`, and `*?` for all that begins so. */
  readonly path: string;
  readonly audience: Audience;
  /** Loaded when somebody goes there. */
  readonly load: () => Promise<{ default: ComponentType }>;
}

/** Every page of the application. A new one is a line here, and in menu.tsx if it is in the menu. */
export const routes: readonly PageRoute[] = [
  { path: "/", audience: "everybody", load: () => import("../home/StartPage") },
  { path: "/signin", audience: "everybody", load: () => import("../account/SignInPage") },
  { path: "/signup", audience: "everybody", load: () => import("../account/SignUpPage") },
  { path: "/jobs", audience: "user", load: () => import("../jobs/JobsPage") },
  { path: "/jobs/:user/:name", audience: "user", load: () => import("../job/JobPage") },
  { path: "/submit", audience: "user", load: () => import("../submit/SubmitPage") },
  { path: "/images", audience: "user", load: () => import("../images/ImagesPage") },
  { path: "/cluster", audience: "user", load: () => import("../cluster/ClusterPage") },
  { path: "/admin/*?", audience: "admin", load: () => import("../admin/AdminPage") },
  { path: "/account/*?", audience: "user", load: () => import("../account/AccountPage") },
  { path: "/help/*?", audience: "everybody", load: () => import("../help/HelpPage") },
];

/** Begins to load the page at an address, before it is known who asks: the two need not wait for each other. */
export function preloadPage(address: string): void {
  const fits = ({ path }: PageRoute) =>
    new RegExp(`^${path.replace("/*?", "(/.*)?").replace(/:\w+/g, "[^/]+")}/?$`).test(address);
  // Whatever goes wrong here goes wrong again, and is told, when the page is shown.
  routes.find(fits)?.load().catch(() => {});
}
