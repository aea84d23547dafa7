/** Returns the path to open after signing in. Only paths of this site are accepted, never another site. */
export function returnPath(wanted: string | null): string {
  return wanted && /^\/(?![/\\])/.test(wanted) ? wanted : "/jobs";
}
