package dev.trainyard.server.http;

/** Who may use an endpoint at all; what exactly they may see is the endpoint's own rule. */
public enum Access {
  PUBLIC,
  USER,
  ADMIN
}
