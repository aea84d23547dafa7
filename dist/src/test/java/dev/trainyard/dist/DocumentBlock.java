package dev.trainyard.dist;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A code block of a document.
 *
 * @param mark the text after the opening fence: the language, and for shell and Python blocks
 *     whether they are executed ({@code run}) or only checked ({@code check})
 */
record DocumentBlock(String file, int line, String mark, String text) {
  private static final Path ROOT = Path.of("..");
  private static final Pattern COMMAND =
      Pattern.compile("(?:^|[|;&(]|\\bexec|\\bsudo|\\bsudo -u \\w+)\\s*(?:\\./)?trainyard(?= |$)");
  private static final Pattern INLINE = Pattern.compile("`((?:\\./)?trainyard [^`]*)`");
  private static final Pattern WORD =
      Pattern.compile("\\s*((?:'[^']*'|\"[^\"]*\"|\\$\\([^)]*\\)|[^\\s|;&>()'\"])+)");

  static List<DocumentBlock> all() throws IOException {
    List<DocumentBlock> blocks = new ArrayList<>();
    for (Path document : documents()) {
      blocks.addAll(of(document));
    }
    return blocks;
  }

  /** Returns the complete commands in the text of the documents, such as {@code trainyard ls}. */
  static List<DocumentBlock> inlineCommands() throws IOException {
    List<DocumentBlock> commands = new ArrayList<>();
    for (Path document : documents()) {
      List<String> lines = Files.readAllLines(document);
      for (int i = 0; i < lines.size(); i++) {
        Matcher code = INLINE.matcher(lines.get(i));
        while (!lines.get(i).startsWith("#") && code.find()) {
          String text = code.group(1).replace("\\|", "|") + "\n";
          commands.add(new DocumentBlock(nameOf(document), i + 1, "sh", text));
        }
      }
    }
    return commands;
  }

  private static List<Path> documents() throws IOException {
    List<Path> documents = new ArrayList<>();
    for (String directory : List.of(".", "docs", "examples", "web")) {
      try (Stream<Path> files = Files.list(ROOT.resolve(directory))) {
        files.filter(file -> file.toString().endsWith(".md")).sorted().forEach(documents::add);
      }
    }
    return documents;
  }

  private static String nameOf(Path document) {
    return ROOT.relativize(document).normalize().toString();
  }

  private static List<DocumentBlock> of(Path document) throws IOException {
    List<DocumentBlock> blocks = new ArrayList<>();
    List<String> lines = Files.readAllLines(document);
    for (int i = 0; i < lines.size(); i++) {
      if (lines.get(i).startsWith("```")) {
        int end = i + 1;
        while (!lines.get(end).startsWith("```")) {
          end++;
        }
        String text = String.join("\n", lines.subList(i + 1, end)) + "\n";
        blocks.add(new DocumentBlock(nameOf(document), i + 1, lines.get(i).substring(3), text));
        i = end;
      }
    }
    return blocks;
  }

  /** Returns the shell commands of the block, or nothing if it contains none. */
  String shell() {
    if (mark.startsWith("sh")) {
      return text;
    }
    StringBuilder commands = new StringBuilder();
    if (mark.equals("console")) {
      text.lines()
          .filter(line -> line.startsWith("$ "))
          .forEach(line -> commands.append(line.substring(2)).append('\n'));
    }
    return commands.toString();
  }

  /** Returns the arguments of each call of Trainyard in the block. */
  List<List<String>> trainyardCommands() {
    List<List<String>> commands = new ArrayList<>();
    for (String line : shell().replaceAll("\\\\\n", " ").lines().toList()) {
      String code = line.replaceAll("(^|\\s)#.*", "");
      Matcher command = COMMAND.matcher(code);
      while (command.find()) {
        commands.add(words(code.substring(command.end())));
      }
    }
    return commands;
  }

  private static List<String> words(String text) {
    List<String> words = new ArrayList<>();
    Matcher word = WORD.matcher(text);
    while (word.lookingAt()) {
      words.add(word.group(1).replaceAll("['\"]", ""));
      word.region(word.end(), text.length());
    }
    return words;
  }

  /** Returns the path in the comment of the first line, under which the file is installed. */
  Path path() {
    return Path.of(text.lines().findFirst().orElseThrow().substring(2));
  }

  @Override
  public String toString() {
    return file + ":" + line + " ```" + mark;
  }
}
