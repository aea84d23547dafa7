/** Where to go after signing in: a path of this page only, never another site's. */
export function landing(wanted: string | null): string {
  return wanted && /^\/(?![/\\])/.test(wanted) ? wanted : "/jobs";
}
