package dev.trainyard.server.home;

import dev.trainyard.server.announcement.Announcement;
import dev.trainyard.server.announcement.AnnouncementService;
import dev.trainyard.server.http.Access;
import dev.trainyard.server.http.Caller;
import dev.trainyard.server.http.Request;
import dev.trainyard.server.http.Routes;
import dev.trainyard.server.job.Job;
import dev.trainyard.server.job.JobService;
import dev.trainyard.server.job.JobView;
import dev.trainyard.server.node.CordonService;
import dev.trainyard.server.queue.QueuePipeline;
import dev.trainyard.server.team.LimitRoutes;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** {@code GET /api/v3/home}: the content of the home page, in one response. */
public final class HomeRoutes {
  private static final int MAX_RECENT_JOBS = 10;

  private final JobService jobs;
  private final QueuePipeline queue;
  private final CordonService cordons;
  private final LimitRoutes limits;
  private final AnnouncementService announcements;
  private final PlatformSummary platform;

  public HomeRoutes(
      JobService jobs,
      QueuePipeline queue,
      CordonService cordons,
      LimitRoutes limits,
      AnnouncementService announcements,
      PlatformSummary platform) {
    this.jobs = jobs;
    this.queue = queue;
    this.cordons = cordons;
    this.limits = limits;
    this.announcements = announcements;
    this.platform = platform;
  }

  public void addTo(Routes routes) {
    routes.add("GET", "/api/v3/home", Access.USER, this::show);
  }

  private Object show(Request request) {
    Caller caller = request.caller();
    Map<String, Object> view = new LinkedHashMap<>();
    view.put("user", caller.userName());
    view.put("admin", caller.admin());
    view.put("jobs", jobs.lists().countByState(caller.userId()));
    view.put(
        "free", FreeResourceSummary.of(queue.nodes(), queue.placements(), cordons.nodes()).view());
    view.put("waiting", queue.depth());
    view.put("limits", limits.viewOf(caller.userName()));
    view.put("announcements", announcements.current().stream().map(Announcement::view).toList());
    view.put("recent", recentViews(caller));
    view.put("platform", caller.admin() ? platform.view() : null);
    return view;
  }

  private List<Map<String, Object>> recentViews(Caller caller) {
    List<Job> recentJobs = jobs.lists().newestOf(caller.userId(), MAX_RECENT_JOBS);
    var explanations = jobs.explanations(recentJobs);
    List<Map<String, Object>> views = new ArrayList<>();
    for (int i = 0; i < recentJobs.size(); i++) {
      views.add(JobView.job(recentJobs.get(i), explanations.get(i)));
    }
    return views;
  }
}
