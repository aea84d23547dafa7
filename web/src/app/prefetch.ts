import { prefetch } from "../api/prefetch";
import { address, cookie } from "../api/client";
import { firstLanguage, prepare } from "../i18n/language";
import { pageQuery } from "../jobs/query";
import { read } from "../jobs/view";
import { preloadPage } from "./routes";

/**
 * This file runs before the rest of the page, while the browser is still loading the large files. It
 * requests the code and data that the page needs first, so that all these requests run in parallel.
 */
preloadPage(location.pathname);
// A failure is ignored here: the page itself sends the request again and reports the error.
prepare(firstLanguage()).catch(() => {});
if (cookie("trainyard_csrf")) {
  // Requests the signed-in user and, on the job list, the page of jobs in the URL, because most visits start there.
  prefetch(address("/me"));
  if (location.pathname === "/jobs") {
    prefetch(address("/jobs", pageQuery(read(new URLSearchParams(location.search)))));
    prefetch(address("/virtual-clusters"));
  }
}
