const KEY = "trainyard.reloaded";
const ENOUGH = 30_000;

/**
 * After an upgrade of the server the parts of an old page that were not loaded yet are gone; the
 * page is loaded anew, once.
 */
export async function loadOrReload<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (error) {
    const last = Number(sessionStorage.getItem(KEY) ?? 0);
    if (navigator.onLine && Date.now() - last > ENOUGH) {
      sessionStorage.setItem(KEY, String(Date.now()));
      location.reload();
      return new Promise(() => {});
    }
    throw error;
  }
}
