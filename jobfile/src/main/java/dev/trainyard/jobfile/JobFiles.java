package dev.trainyard.jobfile;

import dev.trainyard.model.JobFormat;
import dev.trainyard.model.JobSpec;
import dev.trainyard.model.Message;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** The way into this module: recognises a job file's format and reads it. */
public final class JobFiles {
  /** The most characters of a job file; longer ones are refused unread. */
  public static final int MAX_LENGTH = 1 << 20;

  private static final List<JobFileFormat> FORMATS = List.of(new OpenPaiV1());
  private static final Pattern OPENPAI_V2 =
      Pattern.compile("(?m)^[\"']?protocolVersion[\"']? {0,8}:");
  private static final String BYTE_ORDER_MARK = "\uFEFF";
  private static final Located.Place START = new Located.Place(1, 1);

  private JobFiles() {}

  /** Never throws, whatever the text. */
  public static ParsedJob parse(String text) {
    if (text.length() > MAX_LENGTH) {
      return refused(tooLong(text.length()));
    }
    String plain = text.startsWith(BYTE_ORDER_MARK) ? text.substring(1) : text;
    String trimmed = plain.stripLeading();
    if (trimmed.isEmpty()) {
      return refused(Message.of("jobfile.empty"));
    }
    if (trimmed.charAt(0) != '{') {
      boolean isOpenPaiV2 = OPENPAI_V2.matcher(trimmed).find();
      return refused(isOpenPaiV2 ? later("OpenPAI v2") : unknown(trimmed));
    }
    Problems problems = new Problems();
    Optional<Located> document = JsonDocument.read(plain, problems);
    if (document.isPresent() && document.get() instanceof Located.Table table) {
      for (JobFileFormat format : FORMATS) {
        if (format.recognises(table)) {
          return read(format, table, problems);
        }
      }
      boolean isOpenPaiV2 = table.fields().containsKey("protocolVersion");
      problems.add("", table, isOpenPaiV2 ? later("OpenPAI v2") : unknown(trimmed));
    }
    return result(Optional.empty(), Optional.empty(), problems);
  }

  /** For those who know a file's length before they have read it. */
  public static Message tooLong(long length) {
    return Message.of("jobfile.too-long", "length", length).with("limit", MAX_LENGTH);
  }

  private static ParsedJob read(JobFileFormat format, Located.Table table, Problems problems) {
    JobSpec spec = format.read(table, problems);
    return result(
        Optional.of(format.format()),
        problems.any() ? Optional.empty() : Optional.of(spec),
        problems);
  }

  private static ParsedJob refused(Message message) {
    Problems problems = new Problems();
    problems.add("", START, message);
    return result(Optional.empty(), Optional.empty(), problems);
  }

  private static ParsedJob result(
      Optional<JobFormat> format, Optional<JobSpec> spec, Problems problems) {
    return new ParsedJob(format, spec, problems.errors(), problems.warnings());
  }

  private static Message unknown(String text) {
    return Message.of("jobfile.format-unknown", "found", Excerpt.quoted(text));
  }

  private static Message later(String format) {
    return Message.of("jobfile.format-later", "format", format);
  }
}
