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
 * Parses YAML into {@link DocumentValue}s. It uses the events of the parser, so that tags in a file
 * cannot instantiate classes. It accepts one document, only the tags of plain values, and a limited
 * number of aliases.
 */
final class YamlDocument {
  private static final String MERGE = "<<";

  private final Parser parser;
  private final Problems problems;
  private final YamlAnchors anchors = new YamlAnchors();
  private final List<MaskCandidate> tables = new ArrayList<>();
  private final List<MaskCandidate> maskableTexts = new ArrayList<>();
  private Mark lastEnd;
  private int openAnchors;
  private boolean inSecrets;

  private YamlDocument(Parser parser, Problems problems) {
    this.parser = parser;
    this.problems = problems;
  }

  /** Returns the document; reports a problem and returns empty if the text is not valid YAML. */
  static Optional<Document> read(String text, Problems problems) {
    Optional<DocumentValue.Position> unprintablePosition = findUnprintable(text);
    if (unprintablePosition.isPresent()) {
      problems.add("", unprintablePosition.get(), Message.of("jobfile.yaml-character"));
      return Optional.empty();
    }
    LoaderOptions options = new LoaderOptions();
    options.setCodePointLimit(Integer.MAX_VALUE); // the length was checked before
    try {
      YamlDocument document =
          new YamlDocument(new ParserImpl(new StreamReader(text), options), problems);
      DocumentValue root = document.readDocument();
      return Optional.of(document.toDocument(root, text));
    } catch (StoppedException e) {
      problems.add("", e.position, e.message);
    } catch (MarkedYAMLException e) {
      YamlErrorMessages.report(e, problems);
    } catch (RuntimeException e) {
      // The library throws other exceptions for some invalid input, such as extreme numbers in
      // directives.
      problems.add("", new DocumentValue.Position(1, 1), Message.of("jobfile.yaml-other"));
    }
    return Optional.empty();
  }

  private static Optional<DocumentValue.Position> findUnprintable(String text) {
    int line = 1;
    int column = 1;
    for (int index = 0; index < text.length(); ) {
      int character = text.codePointAt(index);
      if (!StreamReader.isPrintable(character)) {
        return Optional.of(new DocumentValue.Position(line, column));
      }
      boolean lineEnd = character == '\n';
      line += lineEnd ? 1 : 0;
      column = lineEnd ? 1 : column + 1;
      index += Character.charCount(character);
    }
    return Optional.empty();
  }

  static DocumentValue.Position position(Mark mark) {
    return new DocumentValue.Position(mark.getLine() + 1, mark.getColumn() + 1);
  }

  /**
   * A value that may have to be masked.
   *
   * @param value value of a text, or the name of an object
   * @param prefix see {@link Document.MaskableText}
   */
  private record MaskCandidate(String value, String prefix, Mark start, Mark end) {
    Document.Span span(Offsets offsets) {
      return new Document.Span(offsets.of(start), offsets.of(end));
    }
  }

  /**
   * Converts offsets of the parser, which counts code points, to offsets in a Java string, which
   * counts UTF-16 units. Must be called with increasing offsets.
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

  private Document toDocument(DocumentValue root, String text) {
    Map<String, Document.Span> spans = new HashMap<>();
    Offsets tableOffsets = new Offsets(text);
    tables.forEach(table -> spans.put(table.value(), table.span(tableOffsets)));
    List<Document.MaskableText> texts = new ArrayList<>();
    Offsets textOffsets = new Offsets(text);
    maskableTexts.forEach(
        candidate ->
            texts.add(
                new Document.MaskableText(
                    candidate.value(), candidate.prefix(), candidate.span(textOffsets))));
    return new Document(root, spans, texts);
  }

  private DocumentValue readDocument() {
    nextEvent(); // start of the stream
    if (parser.checkEvent(Event.ID.StreamEnd)) {
      throw new StoppedException(new DocumentValue.Position(1, 1), Message.of("jobfile.empty"));
    }
    nextEvent(); // start of the document
    DocumentValue root = readValue("", 0);
    nextEvent(); // end of the document
    if (!parser.checkEvent(Event.ID.StreamEnd)) {
      problems.add(
          "", position(parser.peekEvent().getStartMark()), Message.of("jobfile.yaml-documents"));
    }
    return root;
  }

  private DocumentValue readValue(String path, int depth) {
    Event event = nextEvent();
    DocumentValue.Position position = position(event.getStartMark());
    if (depth > JsonDocument.MAX_DEPTH) {
      throw tooDeep(position);
    }
    String anchor = ((NodeEvent) event).getAnchor();
    if (anchor != null && inSecrets) {
      problems.add(path, position, Message.of("jobfile.secrets-alias"));
    }
    if (event instanceof AliasEvent) {
      return readAlias(anchor, path, depth, position);
    }
    anchors.startValue(anchor);
    openAnchors += anchor == null ? 0 : 1;
    addMaskCandidate(event, anchor, path);
    DocumentValue value =
        switch (event) {
          case ScalarEvent scalar -> YamlTags.scalar(scalar, path, position, problems);
          case SequenceStartEvent start -> {
            YamlTags.checkTag("seq", start.getTag(), path, position, problems);
            yield readItems(path, depth, position);
          }
          case MappingStartEvent start -> {
            YamlTags.checkTag("map", start.getTag(), path, position, problems);
            yield readTable(path, depth, position);
          }
          default -> throw new IllegalStateException("unexpected event " + event);
        };
    anchors.endValue(anchor, value);
    openAnchors -= anchor == null ? 0 : 1;
    return value;
  }

  private void addMaskCandidate(Event event, String anchor, String path) {
    boolean isPassword = path.endsWith("." + Document.PASSWORD);
    if (event instanceof ScalarEvent scalar && (isPassword || openAnchors > 0)) {
      String prefix = anchor == null ? "" : "&" + anchor + " ";
      maskableTexts.add(
          new MaskCandidate(scalar.getValue(), prefix, event.getStartMark(), event.getEndMark()));
    }
  }

  private DocumentValue readAlias(
      String name, String path, int depth, DocumentValue.Position position) {
    YamlAnchors.AnchoredValue anchoredValue = anchors.find(name);
    if (anchoredValue == null) {
      String code = anchors.isOpen(name) ? "jobfile.yaml-alias-itself" : "jobfile.yaml-alias";
      String shownName = inSecrets ? Document.MASK_TEXT : Excerpt.of(name);
      problems.add(path, position, Message.of(code, "name", shownName));
      return new DocumentValue.Null(position);
    }
    if (depth + anchoredValue.height() > JsonDocument.MAX_DEPTH) {
      throw tooDeep(position);
    }
    if (!anchors.addAlias(anchoredValue)) {
      throw new StoppedException(position, Message.of("jobfile.yaml-aliases"));
    }
    return anchoredValue.value().withPosition(position);
  }

  private static StoppedException tooDeep(DocumentValue.Position position) {
    return new StoppedException(
        position, Message.of("jobfile.too-deep", "limit", JsonDocument.MAX_DEPTH));
  }

  private DocumentValue readItems(String path, int depth, DocumentValue.Position position) {
    List<DocumentValue> values = new ArrayList<>();
    while (!parser.checkEvent(Event.ID.SequenceEnd)) {
      values.add(readValue(DocumentPaths.item(path, values.size()), depth + 1));
    }
    nextEvent();
    return new DocumentValue.Items(values, position);
  }

  private DocumentValue readTable(String path, int depth, DocumentValue.Position position) {
    Map<String, DocumentValue> fields = new LinkedHashMap<>();
    List<DocumentValue> mergedValues = new ArrayList<>();
    while (!parser.checkEvent(Event.ID.MappingEnd)) {
      Event key = parser.peekEvent();
      DocumentValue.Position keyPosition = position(key.getStartMark());
      if (!(key instanceof ScalarEvent scalar) || scalar.getAnchor() != null) {
        problems.add(path, keyPosition, Message.of("jobfile.yaml-key"));
        readValue(path, depth + 1);
        readValue(path, depth + 1);
        continue;
      }
      nextEvent();
      String name = scalar.getValue();
      if (name.length() > JsonDocument.MAX_NAME_LENGTH) {
        throw new StoppedException(keyPosition, Message.of("jobfile.json-limit"));
      }
      anchors.add(name.length() + 1L);
      String fieldPath = DocumentPaths.field(path, name);
      if (name.equals(MERGE) && scalar.isPlain()) {
        mergedValues.add(readValue(fieldPath, depth + 1));
        continue;
      }
      DocumentValue value = readField(fieldPath, depth + 1);
      if (fields.putIfAbsent(name, value) != null) {
        Message duplicateMessage = Message.of("jobfile.duplicate-field", "name", Excerpt.of(name));
        problems.add(fieldPath, keyPosition, duplicateMessage);
      }
    }
    nextEvent();
    mergedValues.forEach(value -> merge(value, path, fields));
    return new DocumentValue.Table(fields, position);
  }

  /** Reads the value of a field and records its position if it has to be masked. */
  private DocumentValue readField(String path, int depth) {
    if (!Document.isMaskable(path)) {
      return readValue(path, depth);
    }
    Mark start = parser.peekEvent().getStartMark();
    inSecrets = path.equals(Document.SECRETS);
    DocumentValue value = readValue(path, depth);
    inSecrets = false;
    tables.add(new MaskCandidate(path, "", start, lastEnd));
    return value;
  }

  private Event nextEvent() {
    Event event = parser.getEvent();
    lastEnd = event.getEndMark();
    return event;
  }

  /**
   * Merges the fields of a value into an object. Existing fields take precedence over merged
   * fields.
   */
  private void merge(DocumentValue value, String path, Map<String, DocumentValue> fields) {
    String mergePath = DocumentPaths.field(path, MERGE);
    List<DocumentValue> sources =
        value instanceof DocumentValue.Items items ? items.values() : List.of(value);
    for (DocumentValue source : sources) {
      if (!(source instanceof DocumentValue.Table table)) {
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
    private final transient DocumentValue.Position position;
    private final transient Message message;

    StoppedException(DocumentValue.Position position, Message message) {
      this.position = position;
      this.message = message;
    }
  }
}
