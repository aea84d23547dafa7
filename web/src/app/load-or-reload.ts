const KEY = "trainyard.reloaded";
const MIN_RELOAD_INTERVAL = 30_000;

/**
 * Loads a module. After a server upgrade, the files that an open page has not loaded yet no longer
 * exist; the page is then reloaded, once.
 */
export async function loadOrReload<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (error) {
    const last = Number(sessionStorage.getItem(KEY) ?? 0);
    if (navigator.onLine && Date.now() - last > MIN_RELOAD_INTERVAL) {
      sessionStorage.setItem(KEY, String(Date.now()));
      location.reload();
      return new Promise(() => {});
    }
    throw error;
  }
}
