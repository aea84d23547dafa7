import { askAhead } from "../api/prefetch";
import { address, cookie } from "../api/client";
import { firstLanguage, prepare } from "../i18n/language";
import { pageQuery } from "../jobs/query";
import { read } from "../jobs/view";
import { preloadPage } from "./routes";

/**
 * Runs as soon as it has arrived, while the browser still loads and reads the large parts of the
 * page: asks for what they will need first, so that none of it waits for another.
 */
preloadPage(location.pathname);
// What goes wrong here is tried again, and told, by the page itself.
prepare(firstLanguage()).catch(() => {});
if (cookie("trainyard_csrf")) {
  // Who is signed in, and the page of jobs that the address names: most visits begin there.
  askAhead(address("/me"));
  if (location.pathname === "/jobs") {
    askAhead(address("/jobs", pageQuery(read(new URLSearchParams(location.search)))));
    askAhead(address("/virtual-clusters"));
  }
}
