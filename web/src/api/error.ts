import type { ServerMessage } from "./messages";

/** A problem in the submitted data and its location. */
export interface Problem extends ServerMessage {
  readonly path: string;
  readonly line: number;
  readonly column: number;
}

/** Error response of the server; docs/api.md lists the codes. */
interface ErrorResponse {
  readonly code: string;
  readonly message: string;
  readonly messageCode: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly problems: readonly Problem[];
}

export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly serverMessage: ServerMessage;
  readonly problems: readonly Problem[];
  /** Identifies the request in the server log. */
  readonly requestId: string | null;

  constructor(status: number, response: Partial<ErrorResponse>, requestId: string | null) {
    super(response.message ?? `HTTP ${status}`);
    this.status = status;
    this.code = response.code ?? "INTERNAL";
    this.serverMessage = {
      code: response.messageCode ?? null,
      message: this.message,
      params: response.params ?? {},
    };
    this.problems = response.problems ?? [];
    this.requestId = requestId;
  }
}

/** The server could not be reached. */
export class ConnectionError extends Error {}

/** Returns whether the same request may succeed later. */
export function isTransient(error: unknown): boolean {
  return error instanceof ConnectionError || (error instanceof ApiError && [502, 503, 504].includes(error.status));
}
