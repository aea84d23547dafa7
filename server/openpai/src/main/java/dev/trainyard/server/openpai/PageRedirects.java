package dev.trainyard.server.openpai;

import dev.trainyard.server.http.Access;
import dev.trainyard.server.http.Reply;
import dev.trainyard.server.http.Request;
import dev.trainyard.server.http.Routes;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Redirects from OpenPAI's pages, which users have bookmarked and other programs open, to the
 * corresponding pages of this platform. In a new URL, {@code {job}} is replaced by the job in the
 * old URL.
 */
final class PageRedirects {
  private static final String JOB = "{job}";

  private static final Map<String, String> PAGES = pages();

  private PageRedirects() {}

  private static Map<String, String> pages() {
    Map<String, String> pages = new LinkedHashMap<>();
    pages.put("/index.html", "/");
    pages.put("/home.html", "/");
    pages.put("/login.html", "/signin");
    pages.put("/register.html", "/signup");
    pages.put("/change-password.html", "/account");
    pages.put("/submit.html", "/submit");
    pages.put("/submit_v1.html", "/submit");
    pages.put("/submit_demo.html", "/submit");
    pages.put("/job-list.html", "/jobs");
    pages.put("/job-detail.html", "/jobs/" + JOB);
    pages.put("/task-attempt.html", "/jobs/" + JOB);
    pages.put("/job-event.html", "/jobs/" + JOB + "?tab=events");
    pages.put("/job-transfer.html", "/jobs/" + JOB);
    pages.put("/virtual-clusters.html", "/cluster");
    pages.put("/dashboard.html", "/cluster");
    pages.put("/cluster-view/services.html", "/admin");
    pages.put("/cluster-view/hardware.html", "/cluster");
    pages.put("/cluster-view/hardware/detail.html", "/cluster");
    pages.put("/cluster-view/k8s.html", "/cluster");
    pages.put("/user-view.html", "/admin/users");
    pages.put("/batch-register.html", "/admin/users");
    pages.put("/user-profile.html", "/account");
    pages.put("/plugin.html", "/");
    return pages;
  }

  static void addTo(Routes routes) {
    PAGES.forEach(
        (oldPath, page) ->
            routes.add(
                "GET",
                oldPath,
                Access.PUBLIC,
                request -> Reply.of(302, "").with("Location", target(page, request))));
  }

  /**
   * Returns the new URL. The job in the old URL is appended to /jobs/ in encoded form, so it cannot
   * lead to another site.
   */
  private static String target(String page, Request request) {
    Optional<String> user = request.query("username");
    Optional<String> job = request.query("jobName").or(() -> request.query("jobname"));
    if (page.contains(JOB) && (user.isEmpty() || job.isEmpty())) {
      return "/jobs";
    }
    return page.replace(JOB, encoded(user.orElse("")) + "/" + encoded(job.orElse("")));
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }
}
