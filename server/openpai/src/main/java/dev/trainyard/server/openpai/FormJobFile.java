package dev.trainyard.server.openpai;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.trainyard.jobfile.QuotedNumbers;
import dev.trainyard.server.http.Json;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Converts a v1 job file that is sent as a form, with fields such as {@code taskRoles[0][name]=a},
 * to JSON. Every value of a form is a text, so the values of fields that are numbers in v1 are
 * converted to numbers.
 */
final class FormJobFile {
  /** Maximum number of values and tables, each of which needs several hundred bytes of memory. */
  static final int MAX_VALUES = 20_000;

  private static final int MAX_DEPTH = 8;
  private static final int MAX_NAME_LENGTH = 1_000;
  private static final Pattern FIRST_FIELD =
      Pattern.compile("[A-Za-z]\\w{0,99}(?:(?:\\[|%5[Bb])[^=&\\s]{0,999})?=");
  private static final Pattern PART = Pattern.compile("\\G\\[([^\\[\\]]*)]");
  private static final Pattern NUMBER = Pattern.compile("-?\\d{1,10}");
  private static final Pattern INDEX = Pattern.compile("\\d{1,5}");

  private FormJobFile() {}

  /** Returns whether a text begins like a form, which a job file never does. */
  static boolean isForm(String text) {
    return FIRST_FIELD.matcher(text).lookingAt();
  }

  static String toJson(String text) {
    String[] pairs = text.split("&", MAX_VALUES + 1);
    if (pairs.length > MAX_VALUES) {
      throw tooManyValues();
    }
    Table root = new Table(new LinkedHashMap<>());
    int values = 0;
    for (String pair : pairs) {
      if (!pair.isEmpty()) {
        int equals = pair.indexOf('=');
        String name = PaiRequest.decoded(equals < 0 ? pair : pair.substring(0, equals));
        String value = equals < 0 ? "" : PaiRequest.decoded(pair.substring(equals + 1));
        values += put(root, name, value);
      }
      if (values > MAX_VALUES) {
        throw tooManyValues();
      }
    }
    return node(root).toString();
  }

  private static PaiException tooManyValues() {
    return PaiException.invalid("the form has more than " + MAX_VALUES + " values");
  }

  /** A value of the form. */
  private sealed interface Value {}

  private record Text(String name, String text) implements Value {}

  private record Table(Map<String, Value> fields) implements Value {}

  /** Adds a value and returns the number of values and tables that were created. */
  private static int put(Table root, String name, String value) {
    if (name.length() > MAX_NAME_LENGTH) {
      throw PaiException.invalid("the name of a form field is too long");
    }
    int bracket = name.indexOf('[');
    String key = bracket < 0 ? name : name.substring(0, bracket);
    Table table = root;
    int created = 1;
    int end = key.length();
    Matcher part = PART.matcher(name);
    for (int depth = 1; end < name.length(); depth++) {
      if (depth > MAX_DEPTH || !part.find(end)) {
        throw PaiException.invalid("\"" + name + "\" is not allowed");
      }
      created += table.fields().containsKey(key) ? 0 : 1;
      table = inner(table, key, name);
      // Empty brackets append to a list.
      key = part.group(1).isEmpty() ? String.valueOf(table.fields().size()) : part.group(1);
      end = part.end();
    }
    if (table.fields().putIfAbsent(key, new Text(key, value)) != null) {
      throw PaiException.invalid("\"" + name + "\" is given twice");
    }
    return created;
  }

  private static Table inner(Table table, String key, String name) {
    Value value = table.fields().computeIfAbsent(key, _ -> new Table(new LinkedHashMap<>()));
    if (value instanceof Table inner) {
      return inner;
    }
    throw PaiException.invalid("\"" + name + "\" is not allowed");
  }

  private static JsonNode node(Value value) {
    return switch (value) {
      case Text text -> text(text);
      case Table table when isList(table) -> list(table);
      case Table table -> {
        ObjectNode node = Json.MAPPER.createObjectNode();
        table.fields().forEach((name, field) -> node.set(name, node(field)));
        yield node;
      }
    };
  }

  private static boolean isList(Table table) {
    return table.fields().keySet().stream().allMatch(name -> INDEX.matcher(name).matches());
  }

  /** Returns the items in the order of their indices, which may have gaps. */
  private static ArrayNode list(Table table) {
    TreeMap<Integer, Value> items = new TreeMap<>();
    table.fields().forEach((index, item) -> items.put(Integer.valueOf(index), item));
    ArrayNode node = Json.MAPPER.createArrayNode();
    items.values().forEach(item -> node.add(node(item)));
    return node;
  }

  private static JsonNode text(Text text) {
    if (QuotedNumbers.isNumberField(text.name())) {
      if (NUMBER.matcher(text.text()).matches()) {
        return Json.MAPPER.getNodeFactory().numberNode(Long.parseLong(text.text()));
      }
      if (text.text().isEmpty() || text.text().equals("null")) {
        return Json.MAPPER.nullNode();
      }
    }
    return Json.MAPPER.getNodeFactory().textNode(text.text());
  }
}
