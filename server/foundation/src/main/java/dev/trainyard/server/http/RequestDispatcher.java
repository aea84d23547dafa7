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

  /** Maximum read requests of one user that are processed at a time. */
  static final int MAX_CONCURRENT_READS = 8;

  /** A response with more bytes is large, because it is in memory until the client has read it. */
  static final int LARGE = 1 << 20;

  /** Maximum large responses of one user at a time. */
  static final int MAX_LARGE_RESPONSES = 4;

  /** Maximum read requests of one user that wait; the limit on open requests is usually lower. */
  private static final int MAX_QUEUED = 2_000;

  private final Authenticator authenticator;
  private final CsrfProtection guard;
  private final WebConfig config;
  private final RequestLimits limits;
  private final RequestObserver observer;
  private final IdleConnections connections;
  private final Sockets sockets;
  private final BooleanSupplier serverEnds;
  private final BodyBudget bodies;
  private final BodyPace pace;
  private final ResponseBudget responses;
  private final Downloads large = new Downloads(MAX_LARGE_RESPONSES);
  private final RequestGate gate = new RequestGate(MAX_CONCURRENT_READS, MAX_QUEUED);
  private final Ulid ids;

  RequestDispatcher(
      WebConfig config,
      Authenticator authenticator,
      RequestLimits limits,
      RequestObserver observer,
      IdleConnections connections,
      Sockets sockets,
      BooleanSupplier serverEnds,
      InstantSource clock) {
    this.config = config;
    this.authenticator = authenticator;
    this.guard = new CsrfProtection(config.publicUrl());
    this.limits = limits;
    this.observer = observer;
    this.connections = connections;
    this.sockets = sockets;
    this.serverEnds = serverEnds;
    this.ids = new Ulid(clock);
    this.bodies = new BodyBudget(config.load().bodies());
    this.responses = new ResponseBudget(config.load().responses());
    this.pace = new BodyPace(config.load().bodyStall(), config.load().bodyBytesPerSecond());
  }

  /**
   * Definition of a route.
   *
   * @param kind the kind under which its requests are counted
   * @param admission additional check before the body is read
   * @param socket whether the endpoint returns a {@link WebSocketSession}
   * @param foreign error format of a foreign API; empty for our own
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
      BodyLimit most = access == Access.PUBLIC ? limit.forGuests() : limit;
      return new Target(
          route, kind, access, most, Admission.OPEN, endpoint, false, Optional.empty());
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
        Function<AppException, Reply> refusals) {
      RequestKind kind = RequestKind.of(method, route);
      BodyLimit most = admission.equals(Admission.OPEN) ? limit.forGuests() : limit;
      return new Target(
          route, kind, Access.PUBLIC, most, admission, endpoint, false, Optional.of(refusals));
    }

    Reply refuse(AppException refusal) {
      return foreign.map(words -> words.apply(refusal)).orElseGet(() -> Failures.reply(refusal));
    }
  }

  /** Must be called on the event loop. */
  void handle(RoutingContext routing, Target target) {
    long startNanos = System.nanoTime();
    HttpServerRequest request = routing.request();
    request.pause();
    Channel channel = StrictFraming.channel(request.connection());
    connections.requestBegins(channel);
    String id = ids.next();
    Context context = Vertx.currentContext();
    VertxRequest asked =
        new VertxRequest(routing, config, authenticator, guard, target.foreign().isPresent());
    Responder responder = new Responder(request, context, id, config.patience(), serverEnds);
    Requester requester = new Requester(asked::requester);
    request.response().closeHandler(closed -> requester.leave());
    Runnable work =
        () -> {
          int status = 0;
          MDC.put("request", id);
          try (Place place = new Place()) {
            Object answer = answer(target, asked, request, context, id, place);
            if (answer instanceof WebSocketSession webSocketSession) {
              status = SWITCHING_PROTOCOLS;
              sockets.hold(request, context, webSocketSession, asked::isStillSignedIn);
            } else {
              Reply reply = answer instanceof Reply given ? given : Reply.of(200, answer);
              status = reply.status();
              status = send(responder, reply, target, id, asked, place);
            }
          } catch (IOException e) {
            LOG.debug("response to request {} was interrupted: {}", id, e.getMessage());
          } catch (RuntimeException | Error e) {
            LOG.error("request {} failed", id, e);
          } finally {
            requester.leave();
            connections.requestEnds(channel);
            Duration took = Duration.ofNanos(System.nanoTime() - startNanos);
            observer.answered(request.method().name(), target.route(), status, took);
            logAccess(request, asked, status, took);
          }
        };
    Thread.ofVirtual().name("http " + id).start(() -> requester.run(work));
  }

  int queued() {
    return gate.queued();
  }

  private Object answer(
      Target target,
      VertxRequest asked,
      HttpServerRequest request,
      Context context,
      String id,
      Place place)
      throws IOException {
    try {
      place.taken = asked.count(limits, target.kind());
      if (target.kind() == RequestKind.HEALTH) {
        // Needs no database, so neither the token nor the body is read.
        return target.endpoint().answer(asked);
      }
      Requester.current().identify();
      asked.own(connections, StrictFraming.channel(request.connection()));
      if (target.socket()) {
        asked.admitSocket(target.access());
        return target.endpoint().answer(asked);
      }
      asked.admit(target.access());
      Optional<Reply> refused = target.admission().refuse(asked);
      if (refused.isPresent()) {
        return refused.get();
      }
      if (target.limit().streamed()) {
        asked.stream(new BodyStream(request, context, target.limit().most(), pace));
        return target.endpoint().answer(asked);
      }
      place.body = asked.account(bodies, target.limit().most());
      BodyReader reader = new BodyReader(request, target.limit().most(), place.body::take);
      place.body.onEnded(() -> context.runOnContext(_ -> reader.refuse(BodyBudget.full())));
      context.runOnContext(_ -> reader.begin());
      Body body = readBody(reader);
      place.body.finish();
      if (!target.limit().judgedByEndpoint()) {
        body.requireFits();
      }
      asked.body(body);
      place.turn = asked.turn(gate);
      return target.endpoint().answer(asked);
    } catch (AppException e) {
      return target.refuse(e);
    } catch (ClientGoneException e) {
      throw e;
    } catch (WorkCanceledException e) {
      throw new ClientGoneException("the client has disconnected", e);
    } catch (Exception | Error e) {
      return internal(e, target, id);
    }
  }

  /**
   * Sends the response. A response that cannot be written as JSON is an internal error, which can
   * still be reported because nothing was sent yet.
   */
  private int send(
      Responder responder, Reply reply, Target target, String id, VertxRequest asked, Place place)
      throws IOException {
    try {
      responder.send(
          reply,
          bytes -> {
            if (bytes > LARGE) {
              asked.limitTo(large);
            }
            if (bytes > 0 && target.kind() != RequestKind.HEALTH) {
              place.response = responses.take(asked.requester(), bytes, responder::abort);
            }
            place.turn.close();
          });
    } catch (JsonProcessingException e) {
      return sendRefusal(responder, internal(e, target, id));
    } catch (AppException e) {
      return sendRefusal(responder, target.refuse(e));
    } catch (WorkCanceledException e) {
      throw new ClientGoneException("the client has disconnected", e);
    } catch (RuntimeException | Error e) {
      LOG.error("failed to send the response to request {}", id, e);
    }
    return reply.status();
  }

  private static int sendRefusal(Responder responder, Reply refusal) throws IOException {
    responder.send(refusal, _ -> {});
    return refusal.status();
  }

  private static Reply internal(Throwable failure, Target target, String id) {
    var outage = TransientFailures.of(failure, id);
    if (outage.isPresent()) {
      LOG.warn("request {} failed because of an outage", id, failure);
      return target.refuse(outage.get());
    }
    LOG.error("request {} failed", id, failure);
    return target.refuse(
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
      HttpServerRequest request, VertxRequest asked, int status, Duration took) {
    if (ACCESS.isDebugEnabled()) {
      // The path without its query, which may contain sensitive data.
      MDC.put("method", request.method().name());
      MDC.put("path", request.path());
      MDC.put("status", Integer.toString(status));
      MDC.put("millis", Long.toString(took.toMillis()));
      MDC.put("user", asked.callerName());
      MDC.put("address", asked.remoteAddress());
      ACCESS.debug("request completed");
    }
  }

  /** Resources of a request in progress, held until the last byte of the response was sent. */
  private static final class Place implements AutoCloseable {
    private RequestLimits.Admitted taken = RequestLimits.Admitted.FREE;
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
      taken.close();
    }
  }

  /** The client has disconnected, so there is no response. */
  private static final class ClientGoneException extends IOException {
    ClientGoneException(String message, Throwable cause) {
      super(message, cause);
    }
  }
}
