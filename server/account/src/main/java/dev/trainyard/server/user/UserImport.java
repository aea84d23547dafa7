package dev.trainyard.server.user;

import dev.trainyard.model.AppException;
import dev.trainyard.model.ErrorCode;
import dev.trainyard.model.Message;
import dev.trainyard.model.Problem;
import dev.trainyard.server.audit.Actor;
import dev.trainyard.server.db.Db;
import dev.trainyard.server.team.InitialMembership;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jdbi.v3.core.Handle;

/**
 * Creates users from a table in CSV format. All problems are reported together, with their line
 * numbers. If there is any problem, no user is created. Thread-safe.
 */
public final class UserImport {
  static final int MAX_ROWS = 1000;
  private static final String NAME = "name";
  private static final Set<String> COLUMNS =
      Set.of(NAME, "password", "email", "displayname", "groups", "admin", "virtualclusters");

  private final Db db;
  private final UserService users;

  public UserImport(Db db, UserService users) {
    this.db = db;
    this.users = users;
  }

  /**
   * A user that was created, or would be created in a dry run.
   *
   * @param password the generated password, if any
   */
  public record ImportedUser(
      String name,
      boolean admin,
      List<String> groups,
      List<String> virtualClusters,
      Optional<String> password) {}

  private record ImportRow(int line, NewUser user, String password, boolean generated) {}

  /**
   * Creates the users, or only checks them in a dry run. If there are problems, throws an exception
   * that lists all of them.
   */
  public List<ImportedUser> run(Actor actor, String text, boolean dryRun) {
    List<Problem> problems = new ArrayList<>();
    List<ImportRow> importRows = read(text, problems);
    if (problems.isEmpty()) {
      users.prepareNames(importRows.stream().map(importRow -> importRow.user().name()).toList());
    }
    List<ImportRow> namedRows =
        importRows.stream().filter(row -> UserNameRules.isValid(row.user().name())).toList();
    problems.addAll(db.read(handle -> conflicts(handle, namedRows)));
    requireNoProblems(problems);
    if (dryRun) {
      return importRows.stream().map(importRow -> view(importRow, Optional.empty())).toList();
    }
    // Password hashing is slow by design, so the passwords are hashed in parallel and before the
    // transaction begins.
    List<NewUser> newUsers =
        importRows.parallelStream().map(importRow -> withPasswordHash(importRow)).toList();
    db.write(
        handle -> {
          // Another request may have created one of the users in the meantime.
          requireNoProblems(conflicts(handle, importRows));
          newUsers.forEach(user -> insert(handle, actor, user));
          return null;
        });
    return importRows.stream()
        .map(
            importRow ->
                view(
                    importRow,
                    importRow.generated() ? Optional.of(importRow.password()) : Optional.empty()))
        .toList();
  }

  private void insert(Handle handle, Actor actor, NewUser user) {
    String id = users.insert(handle, actor, user).id();
    InitialMembership.replaceDefault(handle, id, user.groups(), user.virtualClusters());
  }

  private NewUser withPasswordHash(ImportRow importRow) {
    NewUser user = importRow.user();
    return new NewUser(
        user.name(),
        users.passwords().hash(importRow.password()),
        user.admin(),
        user.profile(),
        user.groups(),
        user.virtualClusters());
  }

  private static ImportedUser view(ImportRow importRow, Optional<String> password) {
    NewUser user = importRow.user();
    return new ImportedUser(
        user.name(), user.admin(), user.groups(), user.virtualClusters(), password);
  }

  private static void requireNoProblems(List<Problem> problems) {
    if (!problems.isEmpty()) {
      throw new AppException(
          ErrorCode.BAD_REQUEST,
          Message.of("error.import", "count", problems.size()),
          List.copyOf(problems));
    }
  }

  private List<ImportRow> read(String text, List<Problem> problems) {
    List<CsvText.Row> rows = CsvText.rows(text);
    if (rows.isEmpty()) {
      problems.add(problemAt(1, "", Message.of("error.import-empty")));
      return List.of();
    }
    List<String> heading =
        rows.getFirst().cells().stream().map(cell -> cell.toLowerCase(Locale.ROOT)).toList();
    checkHeading(rows.getFirst(), heading, problems);
    if (rows.size() - 1 > MAX_ROWS) {
      Message message = Message.of("error.import-rows", "most", MAX_ROWS);
      problems.add(problemAt(rows.get(MAX_ROWS + 1).line(), "", message));
    }
    if (!problems.isEmpty()) {
      return List.of();
    }
    List<ImportRow> importRows = new ArrayList<>();
    Map<String, Integer> linesByName = new HashMap<>();
    for (CsvText.Row row : rows.subList(1, rows.size())) {
      parseRow(row, heading, problems)
          .ifPresent(
              importRow -> {
                Integer firstLine =
                    linesByName.putIfAbsent(
                        UserNameRules.key(importRow.user().name()), importRow.line());
                if (firstLine != null) {
                  Message message = Message.of("error.import-twice", "line", firstLine);
                  problems.add(problemAt(importRow.line(), NAME, message));
                }
                importRows.add(importRow);
              });
    }
    return importRows;
  }

  private static void checkHeading(CsvText.Row row, List<String> heading, List<Problem> problems) {
    for (String column : heading) {
      if (!COLUMNS.contains(column)) {
        problems.add(
            problemAt(row.line(), column, Message.of("error.import-column", "column", column)));
      }
    }
    if (heading.stream().distinct().count() < heading.size()) {
      problems.add(problemAt(row.line(), "", Message.of("error.import-column-twice")));
    }
    if (!heading.contains(NAME)) {
      problems.add(problemAt(row.line(), "", Message.of("error.import-no-name")));
    }
  }

  private Optional<ImportRow> parseRow(
      CsvText.Row row, List<String> heading, List<Problem> problems) {
    if (row.broken()) {
      problems.add(problemAt(row.line(), "", Message.of("error.import-quote")));
      return Optional.empty();
    }
    if (row.cells().size() > heading.size()) {
      problems.add(problemAt(row.line(), "", Message.of("error.import-cells")));
      return Optional.empty();
    }
    Map<String, String> cells = new HashMap<>();
    for (int i = 0; i < row.cells().size(); i++) {
      cells.put(heading.get(i), row.cells().get(i));
    }
    String name = cells.getOrDefault(NAME, "");
    if (!UserNameRules.isValid(name)) {
      problems.add(problemAt(row.line(), NAME, Message.of("error.user-name")));
    }
    String givenPassword = cells.getOrDefault("password", "");
    if (!givenPassword.isEmpty()) {
      Passwords.problem(givenPassword)
          .ifPresent(problem -> problems.add(problemAt(row.line(), "password", problem)));
    }
    String email = cells.getOrDefault("email", "");
    ProfileFields.emailProblem(email)
        .ifPresent(problem -> problems.add(problemAt(row.line(), "email", problem)));
    String displayName = cells.getOrDefault("displayname", "");
    if (displayName.length() > 100 || displayName.chars().anyMatch(Character::isISOControl)) {
      problems.add(
          problemAt(row.line(), "displayName", Message.of("error.field-long", "longest", 100)));
    }
    NewUser user =
        new NewUser(
            name,
            "",
            flag(row, cells.getOrDefault("admin", ""), problems),
            new Profile(email, displayName, "", "{}"),
            splitNames(cells.getOrDefault("groups", "")),
            splitNames(cells.getOrDefault("virtualclusters", "")));
    String password = givenPassword.isEmpty() ? users.passwords().generate() : givenPassword;
    return Optional.of(new ImportRow(row.line(), user, password, givenPassword.isEmpty()));
  }

  private static boolean flag(CsvText.Row row, String text, List<Problem> problems) {
    return switch (text.toLowerCase(Locale.ROOT)) {
      case "true", "yes", "1", "是" -> true;
      case "", "false", "no", "0", "否" -> false;
      default -> {
        problems.add(problemAt(row.line(), "admin", Message.of("error.not-a-flag", "value", text)));
        yield false;
      }
    };
  }

  private static List<String> splitNames(String cell) {
    return Arrays.stream(cell.split("[;|\\s]+", -1))
        .filter(word -> !word.isEmpty())
        .distinct()
        .toList();
  }

  private List<Problem> conflicts(Handle handle, List<ImportRow> importRows) {
    List<Problem> problems = new ArrayList<>();
    for (ImportRow importRow : importRows) {
      NewUser user = importRow.user();
      if (UserStore.find(handle, user.name()).isPresent()) {
        Message message = Message.of("error.user-taken", "user", user.name());
        problems.add(problemAt(importRow.line(), NAME, message));
      }
      if (DeletedUserStore.hasFiles(handle, user.name())) {
        problems.add(
            problemAt(importRow.line(), NAME, UserService.filesNotMovedMessage(user.name())));
      }
      for (String group : user.groups()) {
        InitialMembership.groupProblem(handle, group)
            .ifPresent(problem -> problems.add(problemAt(importRow.line(), "groups", problem)));
      }
      for (String virtualCluster : user.virtualClusters()) {
        InitialMembership.virtualClusterProblem(handle, virtualCluster)
            .ifPresent(
                problem -> problems.add(problemAt(importRow.line(), "virtualClusters", problem)));
      }
    }
    return problems;
  }

  private static Problem problemAt(int line, String column, Message message) {
    return new Problem(column, message, line, 0);
  }
}
