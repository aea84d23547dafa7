package dev.trainyard.server.job;

import dev.trainyard.model.StopCause;
import dev.trainyard.model.Ulid;
import dev.trainyard.server.http.Caller;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.mapper.RowMapper;
import org.jdbi.v3.core.statement.Query;

/**
 * Searches jobs by any criteria, in any order, from any offset. Unlike {@link JobListQuery} it may
 * scan every job, so it reads as little as possible of each: it finds the IDs first, mostly in an
 * index that covers the criteria, and then reads only the jobs of the page.
 */
final class JobSearchQuery {
  private static final int MAX_NAMED = 500;

  private final JobSearch search;
  private final List<String> conditions = new ArrayList<>();
  private final Map<String, Object> values = new LinkedHashMap<>();

  JobSearchQuery(Handle handle, JobSearch search, Caller caller) {
    this.search = search;
    boolean own =
        switch (search.whose()) {
          case OWN -> true;
          case USUAL -> !caller.admin();
          case TEAM, ALL -> false;
        };
    if (own) {
      conditions.add("user_id = :me");
      values.put("me", caller.userId());
    } else if (search.whose() == JobSearch.Whose.TEAM || !caller.admin()) {
      // Lists the owners individually if they are few, because databases then use the index of
      // owners.
      List<String> ids = SharedJobOwnerStore.of(handle, caller.userId(), MAX_NAMED + 1);
      if (ids.size() <= MAX_NAMED) {
        oneOf("user_id", ids);
      } else {
        conditions.add("user_id in (" + SharedJobOwnerStore.IDS + ")");
        values.put("me", caller.userId());
      }
    }
    oneOf("user_name", search.users());
    oneOf("virtual_cluster", search.virtualClusters());
    if (!search.states().isEmpty()) {
      conditions.add(either(search.states().stream().map(JobSearchQuery::state).toList()));
    }
    if (!search.keyword().isEmpty()) {
      conditions.add("search like :keyword escape '!'");
      values.put("keyword", "%" + escaped(search.keyword()) + "%");
    }
    if (!search.tags().isEmpty()) {
      conditions.add(tagged("in", search.tags()));
    }
    if (!search.withoutTags().isEmpty()) {
      conditions.add(tagged("not in", search.withoutTags()));
    }
    if (!search.priorities().isEmpty()) {
      conditions.add(priority());
    }
    // IDs increase with the time of submission, and they are indexed.
    search.submitted().since().ifPresent(moment -> bound("id >= :since", "since", moment));
    search.submitted().until().ifPresent(moment -> bound("id < :until", "until", moment));
  }

  private void bound(String condition, String name, Instant moment) {
    conditions.add(condition);
    values.put(name, Ulid.firstAt(moment));
  }

  private static String escaped(String keyword) {
    return keyword
        .toLowerCase(Locale.ROOT)
        .replace("!", "!!")
        .replace("%", "!%")
        .replace("_", "!_");
  }

  private void oneOf(String column, List<String> wanted) {
    if (!wanted.isEmpty()) {
      conditions.add(column + " in (" + named(wanted) + ")");
    }
  }

  private String named(List<String> wanted) {
    return wanted.stream()
        .map(
            value -> {
              String name = "v" + values.size();
              values.put(name, value);
              return ":" + name;
            })
        .collect(Collectors.joining(", "));
  }

  private static String state(JobSearch.InState wanted) {
    String state = "state = '" + wanted.state() + "'";
    return wanted.causes().isEmpty()
        ? state
        : "("
            + state
            + " and stop_cause in ('"
            + wanted.causes().stream().map(StopCause::name).collect(Collectors.joining("','"))
            + "'))";
  }

  private String tagged(String isIn, List<String> tags) {
    return "id " + isIn + " (select job_id from job_tag where tag in (" + named(tags) + "))";
  }

  private String priority() {
    List<String> choices = new ArrayList<>();
    List<String> said = search.priorities().stream().filter(text -> !text.isEmpty()).toList();
    if (!said.isEmpty()) {
      choices.add("priority in (" + named(said) + ")");
    }
    if (said.size() < search.priorities().size()) {
      choices.add("priority is null");
    }
    return either(choices);
  }

  private static String either(List<String> choices) {
    return "(" + String.join(" or ", choices) + ")";
  }

  private String where() {
    return conditions.isEmpty() ? "" : " where " + String.join(" and ", conditions);
  }

  /**
   * Returns whether all jobs are listed, by ID. Then a page contains all jobs between its first and
   * its last one.
   */
  boolean isUnbroken() {
    return conditions.isEmpty() && search.order() == JobSearch.Order.SUBMITTED;
  }

  /**
   * @param columns the columns to read of each job
   * @param row maps them
   */
  <J> List<J> page(Handle handle, String columns, RowMapper<J> row) {
    // With the IDs of a long page PostgreSQL scans all jobs. Reading the rows in ID order is fast,
    // unless more rows must be skipped than are read.
    boolean atOnce = isUnbroken() && search.offset() <= search.limit();
    return bound(handle.createQuery(atOnce ? rows(columns) : idsFirst(columns)))
        .bind("limit", search.limit())
        .bind("offset", search.offset())
        .map(row)
        .list();
  }

  private String rows(String columns) {
    String byId = search.descending() ? " desc" : " asc";
    return "select " + columns + " from job order by id" + byId + " limit :limit offset :offset";
  }

  private String idsFirst(String columns) {
    String direction = search.order().sql(search.descending());
    String byId = search.descending() ? " desc" : " asc";
    boolean plain = search.order() == JobSearch.Order.SUBMITTED;
    return "select "
        + columns
        + " from (%s) as page join job on id = found order by %s"
            .formatted(ids(), (plain ? "" : "sort_key" + direction + ", ") + "id" + byId);
  }

  private String ids() {
    String byId = search.descending() ? " desc" : " asc";
    boolean plain = search.order() == JobSearch.Order.SUBMITTED;
    return "select id as found, %s as sort_key from job%s order by %s%s limit :limit offset :offset"
        .formatted(
            search.order().column(),
            where(),
            plain
                ? "id"
                : search.order().column() + search.order().sql(search.descending()) + ", id",
            byId);
  }

  /** Returns only the IDs of a page, in its order. */
  List<String> ids(Handle handle) {
    return bound(handle.createQuery(ids()))
        .bind("limit", search.limit())
        .bind("offset", search.offset())
        .map((rows, _) -> rows.getString(1))
        .list();
  }

  /**
   * Returns the total. If this is the last page, the total follows from it without another scan.
   *
   * @param found number of jobs on the page
   */
  long total(Handle handle, int found) {
    boolean last = found < search.limit() && (found > 0 || search.offset() == 0);
    return last ? (long) search.offset() + found : count(handle);
  }

  long count(Handle handle) {
    return bound(handle.createQuery("select count(*) from job" + where())).mapTo(Long.class).one();
  }

  private Query bound(Query query) {
    values.forEach(query::bind);
    return query;
  }
}
