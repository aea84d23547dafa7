package dev.trainyard.engine;

/** Credentials for a registry. The password is never part of the string representation. */
public record RegistryLogin(String user, String password) {
  @Override
  public String toString() {
    return user;
  }
}
