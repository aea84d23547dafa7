package dev.trainyard.cli.api;

import dev.trainyard.model.AppException;
import dev.trainyard.model.ErrorCode;
import dev.trainyard.model.Message;
import java.io.IOException;
import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.UnknownHostException;
import java.net.http.HttpTimeoutException;
import java.security.cert.CertificateException;
import javax.net.ssl.SSLException;

/** Converts connection exceptions of Java into messages for users. */
public final class ConnectionErrors {
  private ConnectionErrors() {}

  public static AppException of(URI server, IOException cause) {
    AppException exception =
        new AppException(ErrorCode.UNREACHABLE, message(server, cause).with("url", server));
    exception.initCause(cause);
    return exception;
  }

  private static Message message(URI server, IOException cause) {
    String detail = cause.getMessage() == null ? "" : cause.getMessage();
    return switch (cause) {
      case SSLException _ -> tlsMessage(server, cause, detail);
      case UnknownHostException _ -> Message.of("cli.unknown-host", "host", host(server));
      case SocketTimeoutException _ -> Message.of("cli.no-answer");
      case HttpTimeoutException _ -> Message.of("cli.no-answer");
      case ConnectException _ -> Message.of("cli.unreachable");
      default ->
          detail.isBlank()
              ? Message.of("cli.unreachable")
              : Message.of("cli.unreachable-because", "detail", detail);
    };
  }

  private static Message tlsMessage(URI server, IOException cause, String detail) {
    for (Throwable current = cause; current != null; current = current.getCause()) {
      if (current instanceof CertificateException) {
        String text = String.valueOf(current.getMessage());
        // Java has no separate exception type for a valid certificate of another host.
        boolean isNameMismatch =
            text.startsWith("No name matching") || text.startsWith("No subject alt");
        return isNameMismatch
            ? Message.of("cli.tls-name", "host", host(server))
            : Message.of("cli.tls-untrusted");
      }
    }
    if (detail.contains("Unsupported or unrecognized SSL message")) {
      String plainUrl = server.toString().replaceFirst("^https", "http");
      return Message.of("cli.tls-none", "plain", plainUrl);
    }
    return Message.of("cli.tls-failed", "detail", detail);
  }

  private static String host(URI server) {
    return String.valueOf(server.getHost());
  }
}
