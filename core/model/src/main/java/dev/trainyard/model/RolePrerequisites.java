package dev.trainyard.model;

import java.util.List;

/**
 * The names of the prerequisites that a role refers to; a name is empty if the role refers to none
 * of that type.
 *
 * @param others names of further prerequisites of any type
 */
public record RolePrerequisites(
    String image, String script, String data, String output, List<String> others) {
  public static final RolePrerequisites NONE = new RolePrerequisites("", "", "", "", List.of());

  public RolePrerequisites {
    others = List.copyOf(others);
  }
}
