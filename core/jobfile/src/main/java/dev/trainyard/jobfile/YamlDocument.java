package dev.trainyard.jobfile;

import dev.trainyard.model.Message;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.error.Mark;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.events.AliasEvent;
import org.yaml.snakeyaml.events.Event;
import org.yaml.snakeyaml.events.MappingStartEvent;
import org.yaml.snakeyaml.events.NodeEvent;
import org.yaml.snakeyaml.events.ScalarEvent;
import org.yaml.snakeyaml.events.SequenceStartEvent;
import org.yaml.snakeyaml.parser.Parser;
import org.yaml.snakeyaml.parser.ParserImpl;
import org.yaml.snakeyaml.reader.StreamReader;

/**
 * Parses YAML into located values from the events of the parser: no class is ever instantiated
 * because a file names it. Accepts one document, only the tags of plain values, and a limited
 * number of aliases.
 */
final class YamlDocument {
  private static final String MERGE = "<<";

  private final Parser parser;
  private final Problems problems;
  private final YamlAnchors anchors = new YamlAnchors();
  private final List<Kept> tables = new ArrayList<>();
  private final List<Kept> words = new ArrayList<>();
  private Mark lastEnd;
  private int openAnchors;
  private boolean inSecrets;

  private YamlDocument(Parser parser, Problems problems) {
    this.parser = parser;
    this.problems = problems;
  }

  /** Returns the document; empty, with a problem reported, if the text is not valid YAML. */
  static Optional<Document> read(String text, Problems problems) {
    Optional<Located.Place> strange = unprintable(text);
    if (strange.isPresent()) {
      problems.add("", strange.get(), Message.of("jobfile.yaml-character"));
      return Optional.empty();
    }
    LoaderOptions options = new LoaderOptions();
    options.setCodePointLimit(Integer.MAX_VALUE); // the length was checked before
    try {
      YamlDocument document =
          new YamlDocument(new ParserImpl(new StreamReader(text), options), problems);
      Located root = document.whole();
      return Optional.of(document.found(root, text));
    } catch (StoppedException e) {
      problems.add("", e.place, e.why);
    } catch (MarkedYAMLException e) {
      BrokenYaml.tell(e, problems);
    } catch (RuntimeException e) {
      // The library throws other exceptions for some invalid input, such as extreme numbers in
      // directives.
      problems.add("", new Located.Place(1, 1), Message.of("jobfile.yaml-other"));
    }
    return Optional.empty();
  }

  private static Optional<Located.Place> unprintable(String text) {
    int line = 1;
    int column = 1;
    for (int at = 0; at < text.length(); ) {
      int character = text.codePointAt(at);
      if (!StreamReader.isPrintable(character)) {
        return Optional.of(new Located.Place(line, column));
      }
      boolean lineEnd = character == '\n';
      line += lineEnd ? 1 : 0;
      column = lineEnd ? 1 : column + 1;
      at += Character.charCount(character);
    }
    return Optional.empty();
  }

  static Located.Place place(Mark mark) {
    return new Located.Place(mark.getLine() + 1, mark.getColumn() + 1);
  }

  /**
   * A value that may have to be masked.
   *
   * @param value value of a text, or the name of a table
   * @param before see {@link Document.Word}
   */
  private record Kept(String value, String before, Mark start, Mark end) {
    Document.Span span(Offsets offsets) {
      return new Document.Span(offsets.of(start), offsets.of(end));
    }
  }

  /**
   * Converts offsets: the parser counts code points, Java strings count UTF-16 units. Must be
   * called with increasing offsets.
   */
  private static final class Offsets {
    private final String text;
    private int index;
    private int offset;

    Offsets(String text) {
      this.text = text;
    }

    int of(Mark mark) {
      offset = text.offsetByCodePoints(offset, mark.getIndex() - index);
      index = mark.getIndex();
      return offset;
    }
  }

  private Document found(Located root, String text) {
    Map<String, Document.Span> spans = new HashMap<>();
    Offsets ofTables = new Offsets(text);
    tables.forEach(table -> spans.put(table.value(), table.span(ofTables)));
    List<Document.Word> all = new ArrayList<>();
    Offsets ofWords = new Offsets(text);
    words.forEach(
        word -> all.add(new Document.Word(word.value(), word.before(), word.span(ofWords))));
    return new Document(root, spans, all);
  }

  private Located whole() {
    next(); // start of the stream
    if (parser.checkEvent(Event.ID.StreamEnd)) {
      throw new StoppedException(new Located.Place(1, 1), Message.of("jobfile.empty"));
    }
    next(); // start of the document
    Located root = value("", 0);
    next(); // end of the document
    if (!parser.checkEvent(Event.ID.StreamEnd)) {
      problems.add(
          "", place(parser.peekEvent().getStartMark()), Message.of("jobfile.yaml-documents"));
    }
    return root;
  }

  private Located value(String path, int depth) {
    Event event = next();
    Located.Place place = place(event.getStartMark());
    if (depth > JsonDocument.MAX_DEPTH) {
      throw tooDeep(place);
    }
    String anchor = ((NodeEvent) event).getAnchor();
    if (anchor != null && inSecrets) {
      problems.add(path, place, Message.of("jobfile.secrets-alias"));
    }
    if (event instanceof AliasEvent) {
      return alias(anchor, path, depth, place);
    }
    anchors.open(anchor);
    openAnchors += anchor == null ? 0 : 1;
    keep(event, anchor, path);
    Located value =
        switch (event) {
          case ScalarEvent scalar -> YamlTags.scalar(scalar, path, place, problems);
          case SequenceStartEvent start -> {
            YamlTags.expect("seq", start.getTag(), path, place, problems);
            yield items(path, depth, place);
          }
          case MappingStartEvent start -> {
            YamlTags.expect("map", start.getTag(), path, place, problems);
            yield table(path, depth, place);
          }
          default -> throw new IllegalStateException("unexpected event " + event);
        };
    anchors.close(anchor, value);
    openAnchors -= anchor == null ? 0 : 1;
    return value;
  }

  private void keep(Event event, String anchor, String path) {
    boolean password = path.endsWith("." + Document.PASSWORD);
    if (event instanceof ScalarEvent scalar && (password || openAnchors > 0)) {
      String before = anchor == null ? "" : "&" + anchor + " ";
      words.add(new Kept(scalar.getValue(), before, event.getStartMark(), event.getEndMark()));
    }
  }

  private Located alias(String name, String path, int depth, Located.Place place) {
    YamlAnchors.Kept kept = anchors.find(name);
    if (kept == null) {
      String code = anchors.isOpen(name) ? "jobfile.yaml-alias-itself" : "jobfile.yaml-alias";
      String shown = inSecrets ? Document.HIDDEN : Excerpt.of(name);
      problems.add(path, place, Message.of(code, "name", shown));
      return new Located.Nothing(place);
    }
    if (depth + kept.height() > JsonDocument.MAX_DEPTH) {
      throw tooDeep(place);
    }
    if (!anchors.copy(kept)) {
      throw new StoppedException(place, Message.of("jobfile.yaml-aliases"));
    }
    return kept.value().at(place);
  }

  private static StoppedException tooDeep(Located.Place place) {
    return new StoppedException(
        place, Message.of("jobfile.too-deep", "limit", JsonDocument.MAX_DEPTH));
  }

  private Located items(String path, int depth, Located.Place place) {
    List<Located> values = new ArrayList<>();
    while (!parser.checkEvent(Event.ID.SequenceEnd)) {
      values.add(value(Paths.item(path, values.size()), depth + 1));
    }
    next();
    return new Located.Items(values, place);
  }

  private Located table(String path, int depth, Located.Place place) {
    Map<String, Located> fields = new LinkedHashMap<>();
    List<Located> merged = new ArrayList<>();
    while (!parser.checkEvent(Event.ID.MappingEnd)) {
      Event key = parser.peekEvent();
      Located.Place keyPlace = place(key.getStartMark());
      if (!(key instanceof ScalarEvent scalar) || scalar.getAnchor() != null) {
        problems.add(path, keyPlace, Message.of("jobfile.yaml-key"));
        value(path, depth + 1);
        value(path, depth + 1);
        continue;
      }
      next();
      String name = scalar.getValue();
      if (name.length() > JsonDocument.MAX_NAME) {
        throw new StoppedException(keyPlace, Message.of("jobfile.json-limit"));
      }
      anchors.add(name.length() + 1L);
      String fieldPath = Paths.field(path, name);
      if (name.equals(MERGE) && scalar.isPlain()) {
        merged.add(value(fieldPath, depth + 1));
        continue;
      }
      Located value = field(fieldPath, depth + 1);
      if (fields.putIfAbsent(name, value) != null) {
        Message twice = Message.of("jobfile.duplicate-field", "name", Excerpt.of(name));
        problems.add(fieldPath, keyPlace, twice);
      }
    }
    next();
    merged.forEach(value -> merge(value, path, fields));
    return new Located.Table(fields, place);
  }

  /** Records the position of a value to be masked, so that it can be removed from the text. */
  private Located field(String path, int depth) {
    if (!Document.isMaskable(path)) {
      return value(path, depth);
    }
    Mark start = parser.peekEvent().getStartMark();
    inSecrets = path.equals(Document.SECRETS);
    Located value = value(path, depth);
    inSecrets = false;
    tables.add(new Kept(path, "", start, lastEnd));
    return value;
  }

  private Event next() {
    Event event = parser.getEvent();
    lastEnd = event.getEndMark();
    return event;
  }

  /** Merges a table. The table's own fields take precedence, then those that were merged first. */
  private void merge(Located value, String path, Map<String, Located> fields) {
    String mergePath = Paths.field(path, MERGE);
    List<Located> sources = value instanceof Located.Items items ? items.values() : List.of(value);
    for (Located source : sources) {
      if (!(source instanceof Located.Table table)) {
        problems.add(mergePath, source, Message.of("jobfile.yaml-merge"));
        continue;
      }
      if (path.isEmpty() && table.fields().containsKey(Document.SECRETS)) {
        problems.add(mergePath, source, Message.of("jobfile.secrets-alias"));
      }
      table.fields().forEach(fields::putIfAbsent);
    }
  }

  /** Thrown to stop parsing. */
  private static final class StoppedException extends RuntimeException {
    private final transient Located.Place place;
    private final transient Message why;

    StoppedException(Located.Place place, Message why) {
      this.place = place;
      this.why = why;
    }
  }
}
