package dev.trainyard.server.http;

import dev.trainyard.engine.linux.MemoryExhaustion;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.DecoderResult;
import io.netty.handler.codec.http.HttpMessage;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.util.ReferenceCountUtil;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.impl.VertxHttpRequestDecoder;
import io.vertx.core.net.impl.ConnectionBase;
import java.util.List;

/**
 * Rejects requests whose length is ambiguous (RFC 9112, 6.1 and 6.3), because a proxy may interpret
 * it differently and treat the body as a second request. The response is 400, and nothing else is
 * read from the connection.
 */
final class StrictFraming {
  private static final String DECODER = "httpDecoder";

  private StrictFraming() {}

  static Channel channel(HttpConnection connection) {
    return ((ConnectionBase) connection).channel();
  }

  /** Prepares a new connection, before anything is read from it. */
  static void apply(HttpConnection connection, HttpServerOptions options) {
    var pipeline = channel(connection).pipeline();
    if (pipeline.get(DECODER) != null) {
      pipeline.replace(DECODER, DECODER, new Decoder(options));
    }
    connection.exceptionHandler(MemoryExhaustion::terminateIfExhausted);
  }

  private static boolean isAmbiguous(HttpRequest request) {
    List<String> encodings = request.headers().getAll("Transfer-Encoding");
    if (encodings.isEmpty()) {
      return false;
    }
    return request.headers().contains("Content-Length")
        || encodings.size() > 1
        || !encodings.getFirst().strip().equalsIgnoreCase("chunked");
  }

  private static final class Decoder extends VertxHttpRequestDecoder {
    private boolean rejected;

    Decoder(HttpServerOptions options) {
      super(options);
    }

    /** Keeps the Content-Length, which Netty would remove from a request with both headers. */
    @Override
    protected void handleTransferEncodingChunkedWithContentLength(HttpMessage message) {}

    @Override
    protected void decode(ChannelHandlerContext context, ByteBuf in, List<Object> out)
        throws Exception {
      if (rejected) {
        in.skipBytes(in.readableBytes());
        return;
      }
      int before = out.size();
      super.decode(context, in, out);
      for (int i = before; i < out.size(); i++) {
        if (out.get(i) instanceof HttpRequest request && isAmbiguous(request)) {
          rejected = true;
          request.setDecoderResult(
              DecoderResult.failure(new IllegalArgumentException("ambiguous length")));
          while (out.size() > i + 1) {
            ReferenceCountUtil.release(out.removeLast());
          }
        }
      }
    }
  }
}
