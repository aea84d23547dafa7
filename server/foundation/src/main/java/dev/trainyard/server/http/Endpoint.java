package dev.trainyard.server.http;

/**
 * What answers a request, written as plain blocking code: it runs on a virtual thread. The value it
 * returns becomes JSON with status 200, unless it is a {@link Reply}. Refusals are thrown as
 * AppException.
 */
@FunctionalInterface
public interface Endpoint {
  Object answer(Request request) throws Exception;
}
