package dev.trainyard.jobfile;

import dev.trainyard.model.JobFormat;
import dev.trainyard.model.JobSpec;
import dev.trainyard.model.Message;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;

/** Entry point of this module: detects the format of a job file and parses it. */
public final class JobFiles {
  /** Maximum length of a job file in characters; longer files are rejected without being parsed. */
  public static final int MAX_LENGTH = 1 << 20;

  /** Code of the warning about an image name that is invalid for engines with images. */
  public static final String IMAGE_NAME = "jobfile.image-name";

  /** Code of the warning about a mask that must be replaced by the secret. */
  public static final String MASKED = "jobfile.masked";

  private static final JobFileFormat V1 = new OpenPaiV1();
  private static final JobFileFormat V2 = new OpenPaiV2();

  /** Field names at the start of a line that identify a YAML job file even if it is invalid. */
  private static final Pattern YAML_FIELD =
      Pattern.compile(
          "(?m)^[\"']?(protocolVersion|prerequisites|taskRoles|jobName)[\"']?[ \\t]{0,8}:");

  /** An escape sequence, in JSON or YAML, that may hide the start of a template. */
  private static final Pattern UNUSUAL_ESCAPE = Pattern.compile("\\\\[^\"\\\\/bfnrt]");

  static final String BYTE_ORDER_MARK = "\uFEFF";
  private static final DocumentValue.Position START = new DocumentValue.Position(1, 1);

  private JobFiles() {}

  /** Parses a text; never throws an exception. */
  public static ParsedJob parse(String text) {
    if (text.length() > MAX_LENGTH) {
      return reject(tooLong(text.length()));
    }
    String content = text.startsWith(BYTE_ORDER_MARK) ? text.substring(1) : text;
    String trimmed = content.stripLeading();
    if (trimmed.isEmpty()) {
      return reject(Message.of("jobfile.empty"));
    }
    ParsedJob job = startsWithBrace(trimmed) ? parseJson(content) : parseYaml(content, trimmed);
    return content.length() == text.length() || job.spec().isEmpty()
        ? job
        : job.withByteOrderMark();
  }

  /** Returns whether a text, apart from the comments at its start, begins with a brace. */
  private static boolean startsWithBrace(String text) {
    int at = 0;
    while (at < text.length()) {
      if (text.startsWith("//", at)) {
        int end = text.indexOf('\n', at);
        at = end < 0 ? text.length() : end + 1;
      } else if (text.startsWith("/*", at)) {
        int end = text.indexOf("*/", at + 2);
        at = end < 0 ? text.length() : end + 2;
      } else if (Character.isWhitespace(text.charAt(at))) {
        at++;
      } else {
        return text.charAt(at) == '{';
      }
    }
    return false;
  }

  /** Like {@link #parse(String)}, but for the bytes of a file. */
  public static ParsedJob parse(byte[] bytes) {
    if (bytes.length > 4 * MAX_LENGTH) {
      return reject(tooLong(bytes.length));
    }
    try {
      return parse(StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString());
    } catch (CharacterCodingException e) {
      return reject(Message.of("jobfile.not-utf8"));
    }
  }

  /** Returns all values of a valid file, including secrets unless they are masked. */
  public static Map<String, Object> plain(String text) {
    String content = text.startsWith(BYTE_ORDER_MARK) ? text.substring(1) : text;
    return PlainValues.map((DocumentValue.Table) parseDocument(content).root());
  }

  /**
   * Returns a valid file in the form that its owner may see: passwords are masked, even if an
   * earlier version stored them.
   */
  public static String textForOwner(String text) {
    return keepByteOrderMark(text, content -> parseDocument(content).mask(content));
  }

  /**
   * Like {@link #textForOwner}, but for users with read access only: the values of variables are
   * also masked.
   */
  public static String textForReaders(String text) {
    return keepByteOrderMark(text, content -> parseDocument(content).maskForReaders(content));
  }

  private static String keepByteOrderMark(String text, UnaryOperator<String> change) {
    return text.startsWith(BYTE_ORDER_MARK)
        ? BYTE_ORDER_MARK + change.apply(text.substring(1))
        : change.apply(text);
  }

  private static Document parseDocument(String content) {
    return JsonDocument.read(content, new Problems())
        .or(() -> YamlDocument.read(content, new Problems()))
        .orElseThrow();
  }

  /**
   * Returns whether parsing a text may produce much more than the text contains, because it has
   * aliases or templates. May return true for a text without them, but never false for a text with
   * them: an escape sequence that may denote any character counts as a template.
   */
  public static boolean mayExpand(String text) {
    return text.contains(Template.OPEN)
        || (text.indexOf('&') >= 0 && text.indexOf('*') >= 0)
        || UNUSUAL_ESCAPE.matcher(text).find();
  }

  /** Returns the error for callers that know a file's length before reading it. */
  public static Message tooLong(long length) {
    return Message.of("jobfile.too-long", "length", length).with("limit", MAX_LENGTH);
  }

  /**
   * Parses a text that starts with a brace: JSON, or YAML in flow style, which is supported for v2
   * only.
   */
  private static ParsedJob parseJson(String text) {
    Problems problems = new Problems();
    Optional<Document> document = JsonDocument.read(text, problems);
    if (document.isEmpty()) {
      Problems yamlProblems = new Problems();
      Optional<Document> yaml = YamlDocument.read(text, yamlProblems);
      if (yaml.isPresent()
          && yaml.get().root() instanceof DocumentValue.Table table
          && V2.recognizes(table)) {
        return read(V2, table, yaml.get(), text, yamlProblems);
      }
      return failure(Optional.empty(), problems);
    }
    DocumentValue.Table table = (DocumentValue.Table) document.get().root();
    return read(V2.recognizes(table) ? V2 : V1, table, document.get(), text, problems);
  }

  private static ParsedJob parseYaml(String text, String trimmed) {
    Problems problems = new Problems();
    Optional<Document> document = YamlDocument.read(text, problems);
    if (document.isPresent() && document.get().root() instanceof DocumentValue.Table table) {
      if (V2.recognizes(table)) {
        return read(V2, table, document.get(), text, problems);
      }
      if (table.fields().containsKey("jobName")) {
        return read(V1, table, document.get(), text, problems);
      }
    }
    if (!YAML_FIELD.matcher(trimmed).find()) {
      return reject(
          Message.of("jobfile.format-unknown", "found", Excerpt.quoted(quotablePart(trimmed))));
    }
    if (!problems.hasErrors()) {
      problems.add(
          "",
          START,
          Message.of("jobfile.format-unknown", "found", Excerpt.of(quotablePart(trimmed))));
    }
    return failure(Optional.empty(), problems);
  }

  /**
   * Returns the part of the text before the word {@code secrets}, because the following text must
   * never be quoted.
   */
  private static String quotablePart(String text) {
    int secrets = text.indexOf(Document.SECRETS);
    return secrets < 0 ? text : text.substring(0, secrets) + "…";
  }

  private static ParsedJob read(
      JobFileFormat format,
      DocumentValue.Table table,
      Document document,
      String text,
      Problems problems) {
    JobSpec spec = format.read(table, problems);
    Passwords.warnOfMasks(table, problems);
    if (problems.hasErrors()) {
      return failure(Optional.of(format.format()), problems);
    }
    Secrets secrets =
        table.fields().get(Document.SECRETS) instanceof DocumentValue.Table values
            ? new Secrets(PlainValues.map(values))
            : Secrets.NONE;
    return new ParsedJob(
        Optional.of(format.format()),
        Optional.of(spec),
        List.of(),
        problems.warnings(),
        document.mask(text),
        secrets);
  }

  private static ParsedJob reject(Message message) {
    Problems problems = new Problems();
    problems.add("", START, message);
    return failure(Optional.empty(), problems);
  }

  private static ParsedJob failure(Optional<JobFormat> format, Problems problems) {
    return new ParsedJob(
        format, Optional.empty(), problems.errors(), problems.warnings(), "", Secrets.NONE);
  }
}
