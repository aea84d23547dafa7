import { prefetch } from "../api/prefetch";
import { address, cookie } from "../api/client";
import { firstLanguage, prepare } from "../i18n/language";
import { pageQuery } from "../jobs/query";
import { read } from "../jobs/view";
import { preloadPage } from "./routes";

/**
 * Runs before the rest of the page, while the browser is still loading the large files, and requests
 * the code and data that they need first, so that these requests run in parallel.
 */
preloadPage(location.pathname);
// A failure is ignored here: the page itself tries again and reports it.
prepare(firstLanguage()).catch(() => {});
if (cookie("trainyard_csrf")) {
  // The signed-in user and the list of jobs in the URL: most visits start there.
  prefetch(address("/me"));
  if (location.pathname === "/jobs") {
    prefetch(address("/jobs", pageQuery(read(new URLSearchParams(location.search)))));
    prefetch(address("/virtual-clusters"));
  }
}
