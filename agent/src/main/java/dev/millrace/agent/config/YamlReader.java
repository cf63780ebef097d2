package dev.millrace.agent.config;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Parse;
import org.snakeyaml.engine.v2.common.Anchor;
import org.snakeyaml.engine.v2.events.AliasEvent;
import org.snakeyaml.engine.v2.events.CollectionStartEvent;
import org.snakeyaml.engine.v2.events.Event;
import org.snakeyaml.engine.v2.events.MappingEndEvent;
import org.snakeyaml.engine.v2.events.NodeEvent;
import org.snakeyaml.engine.v2.events.ScalarEvent;
import org.snakeyaml.engine.v2.events.SequenceEndEvent;
import org.snakeyaml.engine.v2.events.SequenceStartEvent;
import org.snakeyaml.engine.v2.events.StreamEndEvent;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlVersionException;
import org.snakeyaml.engine.v2.scanner.StreamReader;

/**
 * Builds the tree of one YAML document from the parser's events. The parser is asked for one event
 * at a time, because its own time and stack grow faster than the file with the nesting: a limit
 * that is checked afterwards comes too late.
 */
final class YamlReader {
  /** Several times what the deepest setting needs; far from what the stack bears. */
  static final int MAX_DEPTH = 32;

  /**
   * A person who repeats a section by alias writes a handful. Nodes are shared, so this guards
   * time, not memory.
   */
  static final int MAX_ALIASES = 100;

  /** A file is a few KiB; the parser's default buffer is 128 Ki code points. */
  private static final int BUFFER_CHARS = 4096;

  private static final String CORE_TAG_PREFIX = "tag:yaml.org,2002:";

  private static final char BYTE_ORDER_MARK = '\uFEFF';

  private final Problems problems;
  private final Iterator<Event> events;
  private final Map<String, YamlNode> anchors = new HashMap<>();
  private int aliasCount;

  private YamlReader(Iterator<Event> events, Problems problems) {
    this.events = events;
    this.problems = problems;
  }

  /**
   * Reads the one document of the text.
   *
   * @return the root, or null if the text holds nothing but white space and comments
   * @throws ConfigException if the text is not YAML, or passes a limit; problems that leave the
   *     tree readable (a key twice, a tag) are only added to the problems
   */
  static @Nullable YamlNode read(String text, Problems problems) throws ConfigException {
    String body = !text.isEmpty() && text.charAt(0) == BYTE_ORDER_MARK ? text.substring(1) : text;
    checkPrintable(body, problems);
    LoadSettings settings = LoadSettings.builder().setBufferSize(BUFFER_CHARS).build();
    try {
      return new YamlReader(new Parse(settings).parseString(body).iterator(), problems).document();
    } catch (MarkedYamlEngineException e) {
      throw problems.fatal(YamlSyntaxError.position(e), YamlSyntaxError.message(e));
    } catch (YamlVersionException e) {
      throw problems.fatal(
          Position.WHOLE_FILE, "not valid YAML: an unknown version; remove the line with %YAML");
    } catch (YamlEngineException e) {
      throw problems.fatal(
          Position.WHOLE_FILE, "not valid YAML: " + Shown.clean(String.valueOf(e.getMessage())));
    }
  }

  private @Nullable YamlNode document() throws ConfigException {
    events.next(); // The start of the stream.
    if (events.next() instanceof StreamEndEvent) {
      return null;
    }
    YamlNode root = node(events.next(), 0);
    events.next(); // The end of the document.
    Event last = events.next();
    if (!(last instanceof StreamEndEvent)) {
      throw problems.fatal(
          Position.of(last.getStartMark()),
          "expected one YAML document, found a second one; keep one of them");
    }
    return root;
  }

  private YamlNode node(Event event, int depth) throws ConfigException {
    Position at = Position.of(event.getStartMark());
    if (event instanceof AliasEvent alias) {
      return aliased(alias, at);
    }
    YamlNode node;
    if (event instanceof ScalarEvent scalar) {
      refuseTag(scalar.getTag(), at);
      node = new YamlNode.Scalar(at, scalar.getValue(), scalar.isPlain());
    } else {
      if (depth == MAX_DEPTH) {
        throw problems.fatal(at, "nested more than " + MAX_DEPTH + " deep; no setting is");
      }
      refuseTag(((CollectionStartEvent) event).getTag(), at);
      node = event instanceof SequenceStartEvent ? sequence(at, depth) : mapping(at, depth);
    }
    Optional<Anchor> anchor = ((NodeEvent) event).getAnchor();
    // Only now: an alias inside the node it names finds no anchor, so a tree cannot have a cycle.
    anchor.ifPresent(name -> anchors.put(name.getValue(), node));
    return node;
  }

  private YamlNode sequence(Position at, int depth) throws ConfigException {
    List<YamlNode> items = new ArrayList<>();
    for (Event event = events.next(); !(event instanceof SequenceEndEvent); event = events.next()) {
      items.add(node(event, depth + 1));
    }
    return new YamlNode.Sequence(at, items);
  }

  private YamlNode mapping(Position at, int depth) throws ConfigException {
    List<YamlNode.Entry> entries = new ArrayList<>();
    Map<String, Integer> firstLines = new HashMap<>();
    for (Event event = events.next(); !(event instanceof MappingEndEvent); event = events.next()) {
      if (!(event instanceof ScalarEvent)) {
        throw problems.fatal(
            Position.of(event.getStartMark()),
            "expected a key that is plain text, found " + shown(event));
      }
      YamlNode.Scalar key = (YamlNode.Scalar) node(event, depth);
      YamlNode.Entry entry = new YamlNode.Entry(key, node(events.next(), depth + 1));
      Integer firstLine = firstLines.putIfAbsent(key.text(), key.at().line());
      if (firstLine != null) {
        problems.add(key.at(), () -> duplicate(key, firstLine));
      } else if (key.plain() && key.text().equals("<<")) {
        problems.add(key.at(), "merge keys (<<) are not supported; write the keys out");
      } else {
        entries.add(entry);
      }
    }
    return new YamlNode.Mapping(at, entries);
  }

  private YamlNode aliased(AliasEvent event, Position at) throws ConfigException {
    String name = event.getAlias().getValue();
    YamlNode node = anchors.get(name);
    if (node == null) {
      throw problems.fatal(
          at,
          "alias "
              + Shown.quoted("*" + name)
              + " has no anchor "
              + Shown.quoted("&" + name)
              + " that ends before it");
    }
    if (++aliasCount > MAX_ALIASES) {
      throw problems.fatal(at, "more than " + MAX_ALIASES + " aliases; write the values out");
    }
    return node;
  }

  private void refuseTag(Optional<String> tag, Position at) {
    if (tag.isPresent()) {
      problems.add(
          at,
          () ->
              "YAML tags are not supported; remove the tag "
                  + Shown.quoted(tag.get().replace(CORE_TAG_PREFIX, "!!")));
    }
  }

  private static String duplicate(YamlNode.Scalar key, int firstLine) {
    return "duplicate key "
        + Shown.quoted(key.text())
        + "; first given in line "
        + firstLine
        + "; keep one of them";
  }

  private static String shown(Event event) {
    if (event instanceof AliasEvent) {
      return "an alias";
    }
    return event instanceof SequenceStartEvent ? "a list" : "a mapping";
  }

  /** The parser knows no line for such a character, so it is looked for first. */
  private static void checkPrintable(String text, Problems problems) throws ConfigException {
    int line = 1;
    int column = 1;
    for (int i = 0; i < text.length(); ) {
      int codePoint = text.codePointAt(i);
      if (!StreamReader.isPrintable(codePoint)) {
        throw problems.fatal(
            new Position(line, column),
            "not valid YAML: the character U+"
                + Shown.hex(codePoint)
                + " is not allowed; remove it");
      }
      i += Character.charCount(codePoint);
      column++;
      if (codePoint == '\n') {
        line++;
        column = 1;
      }
    }
  }
}
