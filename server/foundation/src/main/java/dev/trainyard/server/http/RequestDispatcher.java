package dev.trainyard.server.http;

import com.fasterxml.jackson.core.JsonProcessingException;
import dev.trainyard.model.AppException;
import dev.trainyard.model.ErrorCode;
import dev.trainyard.model.Message;
import dev.trainyard.model.Ulid;
import dev.trainyard.server.limit.RequestKind;
import dev.trainyard.server.limit.RequestLimits;
import dev.trainyard.server.work.Downloads;
import dev.trainyard.server.work.RequestGate;
import dev.trainyard.server.work.Requester;
import dev.trainyard.server.work.WorkCanceledException;
import io.netty.channel.Channel;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;

/**
 * Connects event loops and blocking code: takes a request from an event loop, runs its endpoint on
 * a virtual thread and passes the response back.
 */
final class RequestDispatcher {
  private static final Logger LOG = LoggerFactory.getLogger(RequestDispatcher.class);
  private static final Logger ACCESS = LoggerFactory.getLogger("dev.trainyard.access");
  private static final int SWITCHING_PROTOCOLS = 101;

  /** Maximum number of read requests of one user that are processed at a time. */
  static final int MAX_CONCURRENT_READS = 8;

  /**
   * Responses with more bytes have a limit of their own, because a response stays in memory until
   * the client has read it.
   */
  static final int LARGE_RESPONSE_BYTES = 1 << 20;

  /** Maximum number of large responses that one user receives at a time. */
  static final int MAX_LARGE_RESPONSES = 4;

  /**
   * Maximum number of waiting read requests of one user; the limit on open requests is usually
   * lower.
   */
  private static final int MAX_QUEUED = 2_000;

  private final Authenticator authenticator;
  private final CsrfProtection csrfProtection;
  private final WebConfig config;
  private final RequestLimits limits;
  private final RequestObserver observer;
  private final IdleConnections connections;
  private final Sockets sockets;
  private final BooleanSupplier isServerStopping;
  private final BodyBudget bodies;
  private final BodyPace pace;
  private final ResponseBudget responses;
  private final Downloads largeResponses = new Downloads(MAX_LARGE_RESPONSES);
  private final RequestGate gate = new RequestGate(MAX_CONCURRENT_READS, MAX_QUEUED);
  private final Ulid ids;

  RequestDispatcher(
      WebConfig config,
      Authenticator authenticator,
      RequestLimits limits,
      RequestObserver observer,
      IdleConnections connections,
      Sockets sockets,
      BooleanSupplier isServerStopping,
      InstantSource clock) {
    this.config = config;
    this.authenticator = authenticator;
    this.csrfProtection = new CsrfProtection(config.publicUrls());
    this.limits = limits;
    this.observer = observer;
    this.connections = connections;
    this.sockets = sockets;
    this.isServerStopping = isServerStopping;
    this.ids = new Ulid(clock);
    this.bodies = new BodyBudget(config.load().bodies());
    this.responses = new ResponseBudget(config.load().responses());
    this.pace = new BodyPace(config.load().bodyStall(), config.load().bodyBytesPerSecond());
  }

  /**
   * Definition of a route.
   *
   * @param kind kind of the requests, which determines the rate limits that apply
   * @param admission additional check before the body is read
   * @param socket whether the endpoint returns a {@link WebSocketSession}
   * @param foreign error format of a foreign API; empty for the API of this server
   */
  record Target(
      String route,
      RequestKind kind,
      Access access,
      BodyLimit limit,
      Admission admission,
      Endpoint endpoint,
      boolean socket,
      Optional<Function<AppException, Reply>> foreign) {
    static Target own(
        String method, String route, Access access, BodyLimit limit, Endpoint endpoint) {
      RequestKind kind = RequestKind.of(method, route);
      BodyLimit effectiveLimit = access == Access.PUBLIC ? limit.forGuests() : limit;
      return new Target(
          route, kind, access, effectiveLimit, Admission.OPEN, endpoint, false, Optional.empty());
    }

    static Target socket(String route, Access access, Endpoint endpoint) {
      RequestKind kind = RequestKind.of("GET", route);
      return new Target(
          route, kind, access, BodyLimit.GENERAL, Admission.OPEN, endpoint, true, Optional.empty());
    }

    static Target foreign(
        String method,
        String route,
        BodyLimit limit,
        Admission admission,
        Endpoint endpoint,
        Function<AppException, Reply> errorFormat) {
      RequestKind kind = RequestKind.of(method, route);
      BodyLimit effectiveLimit = admission.equals(Admission.OPEN) ? limit.forGuests() : limit;
      return new Target(
          route,
          kind,
          Access.PUBLIC,
          effectiveLimit,
          admission,
          endpoint,
          false,
          Optional.of(errorFormat));
    }

    Reply errorReply(AppException error) {
      return foreign
          .map(formatter -> formatter.apply(error))
          .orElseGet(() -> ErrorReplies.reply(error));
    }
  }

  /** Handles a request. Must be called on the event loop. */
  void handle(RoutingContext routing, Target target) {
    long startNanos = System.nanoTime();
    HttpServerRequest request = routing.request();
    request.pause();
    Channel channel = StrictFraming.channel(request.connection());
    connections.requestBegins(channel);
    String id = ids.next();
    Context context = Vertx.currentContext();
    VertxRequest vertxRequest =
        new VertxRequest(
            routing, config, authenticator, csrfProtection, target.foreign().isPresent());
    Responder responder = new Responder(request, context, id, config.timeout(), isServerStopping);
    Requester requester = new Requester(vertxRequest::requesterKey, vertxRequest.addressKey());
    request.response().closeHandler(closed -> requester.end());
    Runnable work =
        () -> {
          int status = 0;
          MDC.put("request", id);
          try (RequestResources resources = new RequestResources()) {
            Object result = process(target, vertxRequest, request, context, id, resources);
            if (result instanceof WebSocketSession webSocketSession) {
              status = SWITCHING_PROTOCOLS;
              sockets.run(request, context, webSocketSession, vertxRequest::isStillSignedIn);
            } else {
              Reply reply =
                  result instanceof Reply explicitReply ? explicitReply : Reply.of(200, result);
              status = reply.status();
              status = send(responder, reply, target, id, vertxRequest, resources);
            }
          } catch (IOException e) {
            LOG.debug("response to request {} was interrupted: {}", id, e.getMessage());
          } catch (RuntimeException | Error e) {
            LOG.error("request {} failed", id, e);
          } finally {
            requester.end();
            connections.requestEnds(channel);
            Duration duration = Duration.ofNanos(System.nanoTime() - startNanos);
            observer.completed(request.method().name(), target.route(), status, duration);
            logAccess(request, vertxRequest, status, duration);
          }
        };
    Thread.ofVirtual().name("http " + id).start(() -> requester.run(work));
  }

  int queued() {
    return gate.queued();
  }

  private Object process(
      Target target,
      VertxRequest vertxRequest,
      HttpServerRequest request,
      Context context,
      String id,
      RequestResources resources)
      throws IOException {
    try {
      resources.admitted = vertxRequest.count(limits, target.kind());
      if (target.kind() == RequestKind.HEALTH) {
        // Health checks need no database, so neither the token nor the body is read.
        return target.endpoint().handle(vertxRequest);
      }
      Requester.current().identify();
      vertxRequest.countConnection(connections, StrictFraming.channel(request.connection()));
      if (target.socket()) {
        vertxRequest.admitSocket(target.access());
        return target.endpoint().handle(vertxRequest);
      }
      vertxRequest.admit(target.access());
      Optional<Reply> rejection = target.admission().reject(vertxRequest);
      if (rejection.isPresent()) {
        return rejection.get();
      }
      if (target.limit().streamed()) {
        vertxRequest.stream(new BodyStream(request, context, target.limit().maxSize(), pace));
        return target.endpoint().handle(vertxRequest);
      }
      resources.body = vertxRequest.bodyAccount(bodies, target.limit().maxSize());
      BodyReader reader =
          new BodyReader(request, target.limit().maxSize(), resources.body::addBytes);
      resources.body.onDropped(
          () -> context.runOnContext(_ -> reader.reject(BodyBudget.memoryExhausted())));
      context.runOnContext(_ -> reader.begin());
      Body body = readBody(reader);
      resources.body.finish();
      if (!target.limit().checkedByEndpoint()) {
        body.requireFits();
      }
      vertxRequest.body(body, resources.body);
      resources.turn = vertxRequest.awaitTurn(gate);
      return target.endpoint().handle(vertxRequest);
    } catch (AppException e) {
      return target.errorReply(e);
    } catch (ClientGoneException e) {
      throw e;
    } catch (WorkCanceledException e) {
      throw new ClientGoneException("the client has disconnected", e);
    } catch (Exception | Error e) {
      return internalError(e, target, id);
    }
  }

  /**
   * Sends the response. If the response cannot be converted to JSON, an internal error is sent
   * instead, which is possible because nothing has been sent yet.
   */
  private int send(
      Responder responder,
      Reply reply,
      Target target,
      String id,
      VertxRequest vertxRequest,
      RequestResources resources)
      throws IOException {
    int status = reply.status();
    try {
      responder.send(
          reply,
          bytes -> {
            // Requests with other methods have already stored their changes, so an error response
            // would be wrong.
            boolean mayReject = vertxRequest.isSafe();
            if (bytes > LARGE_RESPONSE_BYTES && mayReject) {
              vertxRequest.countLargeResponse(largeResponses);
            }
            if (bytes > 0 && target.kind() != RequestKind.HEALTH) {
              resources.response =
                  responses.reserve(vertxRequest.responseKey(), bytes, mayReject, responder::abort);
            }
            resources.turn.close();
          });
    } catch (JsonProcessingException e) {
      return sendError(responder, internalError(e, target, id));
    } catch (AppException e) {
      return sendError(responder, target.errorReply(e));
    } catch (WorkCanceledException e) {
      throw new ClientGoneException("the client has disconnected", e);
    } catch (RuntimeException | Error e) {
      LOG.error("failed to send the response to request {}", id, e);
      responder.abort();
    }
    return status;
  }

  private static int sendError(Responder responder, Reply error) throws IOException {
    responder.send(error, _ -> {});
    return error.status();
  }

  private static Reply internalError(Throwable failure, Target target, String id) {
    var outage = TransientFailures.of(failure, id);
    if (outage.isPresent()) {
      LOG.warn("request {} failed because of an outage", id, failure);
      return target.errorReply(outage.get());
    }
    LOG.error("request {} failed", id, failure);
    return target.errorReply(
        new AppException(ErrorCode.INTERNAL, Message.of("error.internal", "requestId", id)));
  }

  private Body readBody(BodyReader reader) throws IOException {
    try {
      return reader.await(pace);
    } catch (IOException e) {
      throw new ClientGoneException(e.getMessage(), e);
    }
  }

  private static void logAccess(
      HttpServerRequest request, VertxRequest vertxRequest, int status, Duration duration) {
    if (ACCESS.isDebugEnabled()) {
      // The query is not logged, because it may contain sensitive data.
      MDC.put("method", request.method().name());
      MDC.put("path", request.path());
      MDC.put("status", Integer.toString(status));
      MDC.put("millis", Long.toString(duration.toMillis()));
      MDC.put("user", vertxRequest.callerName());
      MDC.put("address", vertxRequest.remoteAddress());
      ACCESS.debug("request completed");
    }
  }

  /** Resources that a request in progress occupies until the last byte of the response was sent. */
  private static final class RequestResources implements AutoCloseable {
    private RequestLimits.Admitted admitted = RequestLimits.Admitted.UNLIMITED;
    private BodyBudget.Account body;
    private ResponseBudget.Account response;
    private RequestGate.Turn turn = RequestGate.Turn.UNLIMITED;

    @Override
    public void close() {
      turn.close();
      if (response != null) {
        response.close();
      }
      if (body != null) {
        body.close();
      }
      admitted.close();
    }
  }

  /**
   * Thrown if no response can be sent, because the client has disconnected or its request body
   * failed.
   */
  private static final class ClientGoneException extends IOException {
    ClientGoneException(String message, Throwable cause) {
      super(message, cause);
    }
  }
}
