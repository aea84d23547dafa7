package dev.trainyard.server.file;

import dev.trainyard.model.AppException;
import dev.trainyard.model.ErrorCode;
import dev.trainyard.model.Message;
import dev.trainyard.model.Problem;
import dev.trainyard.server.http.Request;
import dev.trainyard.server.storage.FileErrors;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

/** The query parameters of requests for files. */
public final class FileQuery {
  private static final int DEFAULT_LIMIT = 200;
  private static final int MAX_PAGE_SIZE = 1000;

  /** The longest path that Linux accepts. */
  private static final int MAX_PATH_LENGTH = 4_096;

  private FileQuery() {}

  /**
   * The requested page of a directory.
   *
   * @param after the bytes of a name, as Latin-1, after which the page begins; empty for the first
   *     page
   */
  public record Page(String after, int limit) {}

  /** Returns the requested path. A path that is longer than the limit is reported as not found. */
  public static String path(Request request) {
    String path = request.query("path").orElse("");
    if (path.length() > MAX_PATH_LENGTH) {
      throw FileErrors.notFound(path.substring(0, MAX_PATH_LENGTH));
    }
    return path;
  }

  /** Returns the requested path of a file, which must not be empty. */
  public static String filePath(Request request) {
    String path = path(request);
    if (path.isEmpty()) {
      throw badQuery(List.of(Problem.at("path", Message.of("error.field-missing"))));
    }
    return path;
  }

  public static Page page(Request request) {
    List<Problem> problems = new ArrayList<>();
    int limit = limit(request, problems);
    String after = request.query("after").map(text -> decodeName(text, problems)).orElse("");
    if (!problems.isEmpty()) {
      throw badQuery(problems);
    }
    return new Page(after, limit);
  }

  static ArchiveFormat format(Request request) {
    String name = request.query("format").orElse("zip");
    return switch (name) {
      case "zip" -> ArchiveFormat.ZIP;
      case "tar" -> ArchiveFormat.TAR;
      default ->
          throw badQuery(
              List.of(Problem.at("format", Message.of("error.not-a-format", "value", name))));
    };
  }

  private static int limit(Request request, List<Problem> problems) {
    String text = request.query("limit").orElse(String.valueOf(DEFAULT_LIMIT));
    if (text.matches("[1-9][0-9]{0,3}") && Integer.parseInt(text) <= MAX_PAGE_SIZE) {
      return Integer.parseInt(text);
    }
    Message problem = Message.of("error.not-in-range", "value", text).with("from", 1);
    problems.add(Problem.at("limit", problem.with("to", MAX_PAGE_SIZE)));
    return DEFAULT_LIMIT;
  }

  private static String decodeName(String text, List<Problem> problems) {
    try {
      return new String(Base64.getUrlDecoder().decode(text), StandardCharsets.ISO_8859_1);
    } catch (IllegalArgumentException e) {
      problems.add(Problem.at("after", Message.of("error.not-a-page", "value", text)));
      return "";
    }
  }

  static AppException badQuery(List<Problem> problems) {
    return new AppException(ErrorCode.BAD_REQUEST, Message.of("error.bad-query"), problems);
  }
}
