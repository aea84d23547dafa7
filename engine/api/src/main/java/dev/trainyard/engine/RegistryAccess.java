package dev.trainyard.engine;

import java.util.Optional;

/**
 * How a registry is spoken to.
 *
 * @param plainHttp whether an administrator declared that it has no TLS
 */
public record RegistryAccess(Optional<RegistryLogin> login, boolean plainHttp) {
  public static final RegistryAccess ANONYMOUS = new RegistryAccess(Optional.empty(), false);
}
