package dev.trainyard.server.http;

/**
 * Handles a request in plain blocking code, on a virtual thread. The returned value becomes JSON
 * with status 200, unless it is a {@link Reply}. Errors are thrown as AppException.
 */
@FunctionalInterface
public interface Endpoint {
  Object handle(Request request) throws Exception;
}
