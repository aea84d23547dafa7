import type { Message, Problem, Refusal } from "./description";

export type { Problem };

export class ApiError extends Error {
  readonly status: number;
  readonly code: Refusal["code"];
  readonly serverMessage: Message;
  readonly problems: readonly Problem[];
  /** Identifies the request in the server log. */
  readonly requestId: string | null;

  constructor(status: number, response: Partial<Refusal>, requestId: string | null) {
    super(response.message ?? `HTTP ${status}`);
    this.status = status;
    this.code = response.code ?? "INTERNAL";
    this.serverMessage = {
      code: response.messageCode ?? "",
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
