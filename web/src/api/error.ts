import type { Told } from "./messages";

/** A fault in what was sent, and where it is. */
export interface Problem extends Told {
  readonly path: string;
  readonly line: number;
  readonly column: number;
}

/** A refusal as the server writes it; docs/api.md lists the codes. */
interface Refusal {
  readonly code: string;
  readonly message: string;
  readonly messageCode: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly problems: readonly Problem[];
}

export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly told: Told;
  readonly problems: readonly Problem[];
  /** By which the administrator finds it in the server's log. */
  readonly requestId: string | null;

  constructor(status: number, refusal: Partial<Refusal>, requestId: string | null) {
    super(refusal.message ?? `HTTP ${status}`);
    this.status = status;
    this.code = refusal.code ?? "INTERNAL";
    this.told = {
      code: refusal.messageCode ?? null,
      message: this.message,
      params: refusal.params ?? {},
    };
    this.problems = refusal.problems ?? [];
    this.requestId = requestId;
  }
}

/** The server was not reached, or what stands before it says that it is not there. */
export class ConnectionError extends Error {}

/** Whether the same request may work in a while. */
export function isPassing(error: unknown): boolean {
  return error instanceof ConnectionError || (error instanceof ApiError && [502, 503, 504].includes(error.status));
}
