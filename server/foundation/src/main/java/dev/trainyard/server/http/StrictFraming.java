package dev.trainyard.server.http;

import dev.trainyard.engine.linux.MemoryExhaustion;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.DecoderResult;
import io.netty.handler.codec.http.HttpMessage;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.TooLongHttpHeaderException;
import io.netty.util.AsciiString;
import io.netty.util.ReferenceCountUtil;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.impl.VertxHttpRequestDecoder;
import io.vertx.core.net.impl.ConnectionBase;
import java.util.List;
import java.util.stream.Stream;

/**
 * Rejects requests whose length or host is ambiguous (RFC 9112, 3.2, 5.2, 6.1 and 6.3), because a
 * proxy may interpret such a request differently: it may treat the body as a second request, or
 * assume another host. The response is 400, and nothing else is read from the connection.
 *
 * <p>Also limits the number of decoded objects, because the objects of a request head need several
 * times the memory of its text. Requests with more than {@value #MAX_HEADERS} header lines are
 * rejected with 431. While a request waits for the response to an earlier request of its
 * connection, no further bytes are decoded, and the connection is read at most once more. Vert.x
 * itself would stop only after four waiting requests, and keep everything that it has read until
 * then.
 */
final class StrictFraming {
  static final int MAX_HEADERS = 100;
  private static final String DECODER = "httpDecoder";

  private StrictFraming() {}

  static Channel channel(HttpConnection connection) {
    return ((ConnectionBase) connection).channel();
  }

  /** Replaces the decoder of a new connection, before anything is read from it. */
  static void apply(HttpConnection connection, HttpServerOptions options) {
    apply(channel(connection), options);
    connection.exceptionHandler(MemoryExhaustion::terminateIfExhausted);
  }

  static void apply(Channel channel, HttpServerOptions options) {
    var pipeline = channel.pipeline();
    if (pipeline.get(DECODER) != null) {
      pipeline.replace(DECODER, DECODER, new Decoder(options));
    }
  }

  /**
   * Reports that all earlier requests of the connection are answered and that its next request
   * begins. Must be called on the event loop of the connection.
   */
  static void requestBegins(Channel channel) {
    if (channel.pipeline().get(DECODER) instanceof Decoder decoder) {
      decoder.requestBegins();
    }
  }

  /**
   * Returns whether the length or the host is ambiguous. Netty joins the lines of a folded header
   * with spaces and trims other values, so these headers contain a space only if they were folded
   * or are invalid.
   */
  private static boolean isAmbiguous(HttpRequest request) {
    List<String> hosts = request.headers().getAll("Host");
    List<String> encodings = request.headers().getAll("Transfer-Encoding");
    List<String> lengths = request.headers().getAll("Content-Length");
    return hosts.size() > 1
        || Stream.of(hosts, encodings, lengths).anyMatch(StrictFraming::containsSpace)
        || (!encodings.isEmpty()
            && (!lengths.isEmpty()
                || encodings.size() > 1
                || !encodings.getFirst().equalsIgnoreCase("chunked")));
  }

  private static boolean containsSpace(List<String> values) {
    return values.stream().anyMatch(value -> value.chars().anyMatch(Character::isWhitespace));
  }

  private static final class Decoder extends VertxHttpRequestDecoder {
    private boolean rejected;

    /** Number of decoded requests whose processing has not begun; at most 1. */
    private int pendingRequests;

    /** Whether bytes remain undecoded because a request is pending. */
    private boolean suspended;

    /** Whether this decoder has stopped reading from the connection. */
    private boolean readingStopped;

    private ChannelHandlerContext handlerContext;
    private int headerLines;

    Decoder(HttpServerOptions options) {
      super(options);
    }

    @Override
    public void handlerAdded(ChannelHandlerContext context) throws Exception {
      handlerContext = context;
      super.handlerAdded(context);
    }

    private void requestBegins() {
      pendingRequests--;
      if (suspended) {
        // Resumes later: Vert.x continues after this call, and must not receive another request
        // before that.
        handlerContext.executor().execute(this::resume);
      }
    }

    private void resume() {
      if (handlerContext.isRemoved()) {
        return;
      }
      suspended = false;
      try {
        channelRead(handlerContext, Unpooled.EMPTY_BUFFER);
        if (!suspended) {
          continueReading(handlerContext);
        }
        channelReadComplete(handlerContext);
      } catch (Exception e) {
        handlerContext.fireExceptionCaught(e);
      }
    }

    private void continueReading(ChannelHandlerContext context) {
      if (readingStopped) {
        readingStopped = false;
        context.channel().config().setAutoRead(true);
      }
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) throws Exception {
      super.channelRead(context, message);
      if (suspended && context.channel().config().isAutoRead()) {
        readingStopped = true;
        context.channel().config().setAutoRead(false);
      }
    }

    /**
     * Reads nothing while suspended; Netty would read further bytes, because nothing was decoded.
     */
    @Override
    public void channelReadComplete(ChannelHandlerContext context) throws Exception {
      if (suspended) {
        context.fireChannelReadComplete();
      } else {
        super.channelReadComplete(context);
      }
    }

    /** Called when the connection becomes a WebSocket. */
    @Override
    protected void handlerRemoved0(ChannelHandlerContext context) throws Exception {
      super.handlerRemoved0(context);
      continueReading(context);
    }

    /**
     * Keeps the Content-Length, which Netty would remove from a request that also has
     * Transfer-Encoding.
     */
    @Override
    protected void handleTransferEncodingChunkedWithContentLength(HttpMessage message) {}

    @Override
    protected HttpMessage createMessage(String[] firstLine) {
      headerLines = 0;
      return super.createMessage(firstLine);
    }

    /** Counts every header line, including the trailers after a chunked body. */
    @Override
    protected AsciiString splitHeaderName(byte[] line, int start, int length) {
      // The constructor of the superclass calls this method too.
      if (++headerLines > MAX_HEADERS) {
        throw new TooLongHttpHeaderException("more than " + MAX_HEADERS + " header lines");
      }
      return super.splitHeaderName(line, start, length);
    }

    @Override
    protected void decode(ChannelHandlerContext context, ByteBuf in, List<Object> out)
        throws Exception {
      if (rejected) {
        in.skipBytes(in.readableBytes());
        return;
      }
      if (pendingRequests > 0) {
        suspended = true;
        return;
      }
      int firstNew = out.size();
      super.decode(context, in, out);
      for (int i = firstNew; i < out.size(); i++) {
        if (!(out.get(i) instanceof HttpRequest request)) {
          continue;
        }
        if (isAmbiguous(request)) {
          rejected = true;
          request.setDecoderResult(
              DecoderResult.failure(new IllegalArgumentException("ambiguous length or host")));
          truncate(out, i + 1);
        }
        // After a failure, all further bytes are read and discarded.
        if (request.decoderResult().isSuccess()) {
          pendingRequests++;
        }
      }
    }

    private static void truncate(List<Object> out, int size) {
      while (out.size() > size) {
        ReferenceCountUtil.release(out.removeLast());
      }
    }
  }
}
